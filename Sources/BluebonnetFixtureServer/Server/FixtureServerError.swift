import Glibc

/// The reason why a fixture server could not start.
///
/// Starting needs a listening socket, an epoll set and a thread; whichever the system refuses is
/// named here together with the `errno` it gave.
public struct FixtureServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system call that failed.
    public let operation: String

    /// The `errno` value the system call left.
    public let code: Int32

    init(operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// The failed call and its error number in one line.
    public var description: String { "\(operation) failed with errno \(code)" }
}
