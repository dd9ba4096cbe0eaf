import BluebonnetTransport
import Foundation

extension BluebonnetError {
    /// A short name for the kind of error, of which there are few: OpenTelemetry's `error.type`.
    var telemetryType: String {
        switch self {
        case .invalidRequest: "invalid_request"
        case .adaptation: "adaptation"
        case .retry(_, let context): context.attemptError?.telemetryType ?? "retry"
        case .securityPolicy: "security_policy"
        case .sessionInvalidated: "session_invalidated"
        case .transport(let failure, _): failure.telemetryType
        case .requestBody: "request_body"
        case .redirect: "redirect"
        case .authentication: "authentication"
        case .unacceptableStatus(let code, _): "\(code)"
        case .unacceptableContentType: "content_type"
        case .validation: "validation"
        case .unreadableBody: "unreadable_body"
        case .file: "file"
        case .cancelled: "cancelled"
        }
    }
}

extension Exchange.Failure {
    fileprivate var telemetryType: String {
        if timeout != nil { return "timeout" }
        if limit != nil { return "limit" }
        if denial != nil { return "denied_address" }
        if certificateFault != nil { return "certificate" }
        if malformedPart != nil { return "malformed_response" }
        return switch code {
        case .timedOut: "timeout"
        case .cancelled: "cancelled"
        case .cannotFindHost, .dnsLookupFailed: "name_lookup"
        case .cannotConnectToHost, .notConnectedToInternet: "connection"
        case .networkConnectionLost: "connection_lost"
        case .secureConnectionFailed, .serverCertificateUntrusted, .clientCertificateRequired,
            .clientCertificateRejected:
            "tls"
        default: "transport"
        }
    }
}
