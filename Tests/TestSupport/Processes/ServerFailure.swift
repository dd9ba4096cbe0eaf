/// The reason that a test's server or command did not run, and the remedy.
package struct ServerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
