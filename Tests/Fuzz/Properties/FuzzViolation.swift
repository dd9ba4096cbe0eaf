/// The violation of a property, which ends the fuzzer's process.
struct FuzzViolation: Error, CustomStringConvertible {
    let description: String
}

/// Throws a violation unless a condition holds.
func require(
    _ condition: Bool,
    _ message: @autoclosure () -> String
) throws(FuzzViolation) {
    if !condition { throw FuzzViolation(description: message()) }
}
