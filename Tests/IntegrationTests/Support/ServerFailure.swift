/// Why a server or a command that a test needs did not run, and what to do about it.
struct ServerFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
