import BluebonnetTransport
import FoundationNetworking

/// The status, error code and fields of a failed attempt.
struct RetryCause {
    /// The status of the response, or of the proxy that refused a tunnel.
    let statusCode: Int?
    /// Whether a limit of the configuration or an ``AddressGuard`` would also stop the next
    /// attempt.
    let isFinal: Bool
    /// The code of an error from the transport or an adapter.
    let code: URLError.Code?
    /// The fields of the response, or of the proxy that refused a tunnel.
    let fields: HTTPHeaders

    init(of request: Request, _ error: any Error) {
        let known = error as? BluebonnetError
        let failure = known?.transportFailure
        let below = known?.underlyingOfHook
        let cause = failure ?? (below as? BluebonnetError)?.transportFailure
        let head = known?.context.head ?? request.head
        statusCode = known?.unacceptableStatus ?? head?.statusCode ?? failure?.proxyStatus
        fields = head?.headers ?? HTTPHeaders(failure?.proxyFields ?? [])
        isFinal = cause?.limit != nil || cause?.denial != nil
        // The URL error is either the error itself or one level below it.
        code = cause?.code ?? (error as? URLError ?? below as? URLError)?.code
    }
}

extension BluebonnetError {
    fileprivate var transportFailure: Exchange.Failure? {
        if case .transport(let failure, _) = self { failure } else { nil }
    }

    /// The error that an adapter or a validator threw.
    fileprivate var underlyingOfHook: (any Error)? {
        switch self {
        case .adaptation(_, let context), .validation(_, let context): context.underlying
        default: nil
        }
    }

    fileprivate var unacceptableStatus: Int? {
        if case .unacceptableStatus(let status, _) = self { status } else { nil }
    }
}
