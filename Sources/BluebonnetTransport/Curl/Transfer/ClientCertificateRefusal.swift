import Foundation
import FoundationNetworking

/// A server's refusal of a client certificate, in an alert that ends the connection.
///
/// See RFC 8446 section 6.2. In TLS 1.3, the alert arrives after the client has finished the
/// handshake. Without the alert, the failure looks like a lost connection.
enum ClientCertificateRefusal {
    case missing, rejected

    /// The alerts that are about a certificate, by number, with OpenSSL's names.
    private static let rejections: [UInt8: String] = [
        42: "bad certificate", 43: "unsupported certificate", 44: "certificate revoked",
        45: "certificate expired", 46: "certificate unknown", 48: "unknown ca",
    ]
    private static let required: UInt8 = 116
    /// An alert that is about a certificate only if the server has requested one.
    private static let accessDenied: UInt8 = 49

    /// Creates a refusal from OpenSSL's error text, or returns nil if it is about something else.
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

    /// Creates a refusal from an alert of a server that had requested a certificate.
    ///
    /// Returns nil if the alert is about something else.
    init?(alert: UInt8, wasSent: Bool) {
        if alert == Self.required {
            self = .missing
        } else if Self.rejections[alert] != nil || alert == Self.accessDenied {
            self = wasSent ? .rejected : .missing
        } else {
            return nil
        }
    }

    /// Returns the description of an alert.
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
            "the server requires a client certificate, and no suitable one was sent: \(detail)"
        case .rejected: "the server rejected the client certificate: \(detail)"
        }
    }
}
