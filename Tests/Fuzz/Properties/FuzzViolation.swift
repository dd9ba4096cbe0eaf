/// What a property found to be wrong; in the fuzzer it ends the process.
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
