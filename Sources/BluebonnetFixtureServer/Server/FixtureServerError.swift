import Glibc

/// The error that is thrown when a fixture server cannot start.
///
/// It names the operation that failed, such as the creation of a socket, and its `errno`.
public struct FixtureServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation that failed, usually a system call.
    public let operation: String

    /// The `errno` value of the failed operation.
    public let code: Int32

    init(operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// The failed operation and its error number in one line.
    public var description: String { "\(operation) failed with errno \(code)" }
}
