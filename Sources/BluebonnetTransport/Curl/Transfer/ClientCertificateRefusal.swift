import Foundation
import FoundationNetworking

/// What a server says of a client's certificate when it ends the connection (RFC 8446 section 6.2).
///
/// In TLS 1.3 that comes when the handshake is over for the client, and looks like a lost connection
/// but for the alert.
enum ClientCertificateRefusal {
    case missing, rejected

    /// Alerts that are about a certificate, by number, in OpenSSL's words.
    private static let rejections: [UInt8: String] = [
        42: "bad certificate", 43: "unsupported certificate", 44: "certificate revoked",
        45: "certificate expired", 46: "certificate unknown", 48: "unknown ca",
    ]
    private static let required: UInt8 = 116
    /// Of a certificate only where one was asked for.
    private static let accessDenied: UInt8 = 49

    /// Reads OpenSSL's words.
    init?(in detail: String) {
        guard detail.contains(" alert ") else { return nil }
        if detail.contains("alert certificate required") {
            self = .missing
        } else if Self.rejections.values.contains(where: { detail.contains("alert \($0)") }) {
            self = .rejected
        } else {
            return nil
        }
    }

    /// Reads an alert of a server that had asked for a certificate; nil where it is about something
    /// else.
    init?(alert: UInt8, wasSent: Bool) {
        if alert == Self.required {
            self = .missing
        } else if Self.rejections[alert] != nil || alert == Self.accessDenied {
            self = wasSent ? .rejected : .missing
        } else {
            return nil
        }
    }

    /// An alert in words.
    static func text(of alert: UInt8) -> String {
        let name =
            switch alert {
            case required: "certificate required"
            case accessDenied: "access denied"
            default: rejections[alert] ?? "number \(alert)"
            }
        return "TLS alert \(name)"
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
