import Foundation
import FoundationNetworking

/// What a server says of a client's certificate when it ends the connection (RFC 8446 section 6.2).
///
/// In TLS 1.3 that comes when the handshake is over for the client, and looks like a lost connection
/// but for OpenSSL's words.
enum ClientCertificateRefusal {
    case missing, rejected

    private static let rejections = [
        "alert bad certificate", "alert unsupported certificate", "alert certificate revoked",
        "alert certificate expired", "alert certificate unknown", "alert unknown ca",
    ]

    init?(in detail: String) {
        guard detail.contains(" alert ") else { return nil }
        if detail.contains("alert certificate required") {
            self = .missing
        } else if Self.rejections.contains(where: detail.contains) {
            self = .rejected
        } else {
            return nil
        }
    }

    var code: URLError.Code {
        switch self {
        case .missing: .clientCertificateRequired
        case .rejected: .clientCertificateRejected
        }
    }

    func message(_ detail: String) -> String {
        switch self {
        case .missing:
            "the server wants a client certificate, and there is none that it asked for: \(detail)"
        case .rejected: "the server does not accept the client certificate: \(detail)"
        }
    }
}
