import Bluebonnet
import BluebonnetFixtureServer

/// The reason why a ``TestServer`` could not start.
public enum TestServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Something else listens on the port.
    case portInUse(UInt16)
    /// The system refused something, such as a socket when too many files are open.
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

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .portInUse(let port):
            return """
                the test server cannot start: port \(port) is in use; stop what listens there, or leave the port \
                out to get a free one
                """
        case .system(let function, let code):
            let reason = POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription }
            return
                "the test server cannot start: \(function) failed: \(reason ?? "errno") (\(code))"
        }
    }
}
