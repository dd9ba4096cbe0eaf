/// Why a server or a command that a test needs did not run, and what to do about it.
package struct ServerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
