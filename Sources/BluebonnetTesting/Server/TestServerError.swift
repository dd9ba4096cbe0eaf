import Bluebonnet
import BluebonnetFixtureServer

/// The reason why a ``TestServer`` could not start.
public enum TestServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The port is in use.
    case portInUse(UInt16)
    /// A system call failed, for example because too many files are open.
    ///
    /// The values are the function that failed and its `errno`.
    case system(function: String, code: Int32)

    init(_ error: any Error, port: UInt16) {
        switch error as? FixtureServerError {
        case let error? where error.code == EADDRINUSE && port != 0: self = .portInUse(port)
        case let error?: self = .system(function: error.operation, code: error.code)
        case nil: self = .system(function: "\(error)", code: EINVAL)
        }
    }

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .portInUse(let port):
            return """
                the test server cannot start: port \(port) is in use; stop the process that uses it, or omit the \
                port to get a free one
                """
        case .system(let function, let code):
            let reason = POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription }
            return
                "the test server cannot start: \(function) failed: \(reason ?? "errno") (\(code))"
        }
    }
}
