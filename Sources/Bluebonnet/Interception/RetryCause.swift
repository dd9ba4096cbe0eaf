import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What a policy needs to know of the failure of an attempt.
struct RetryCause {
    /// The status of the response, or of the proxy that refused a tunnel.
    let statusCode: Int?
    /// The code of a transport's or an adapter's error.
    let code: URLError.Code?
    /// The fields of the response, or of the proxy that refused a tunnel.
    let fields: HTTPHeaders

    init(of request: Request, _ error: any Error) {
        let known = error as? BluebonnetError
        let failure = known?.transportFailure
        let head = known?.context.head ?? request.head
        statusCode = known?.unacceptableStatus ?? head?.statusCode ?? failure?.proxyStatus
        fields = head?.headers ?? HTTPHeaders(failure?.proxyFields ?? [])
        code = Self.code(of: error)
    }

    /// The code of an error that is bare or one level inside.
    private static func code(of error: any Error) -> URLError.Code? {
        guard let known = error as? BluebonnetError else { return (error as? URLError)?.code }
        switch known {
        case .transport(let failure, _): return code(of: failure)
        case .adaptation(_, let context), .validation(_, let context):
            let underlying = context.underlying
            if let failure = (underlying as? BluebonnetError)?.transportFailure {
                return code(of: failure)
            }
            return (underlying as? URLError)?.code
        default: return nil
        }
    }

    /// Nil for a limit of the configuration, which the next attempt would meet too.
    private static func code(of failure: Exchange.Failure) -> URLError.Code? {
        failure.limit == nil && failure.denial == nil ? failure.code : nil
    }
}

extension BluebonnetError {
    fileprivate var transportFailure: Exchange.Failure? {
        if case .transport(let failure, _) = self { failure } else { nil }
    }

    fileprivate var unacceptableStatus: Int? {
        if case .unacceptableStatus(let status, _) = self { status } else { nil }
    }
}
