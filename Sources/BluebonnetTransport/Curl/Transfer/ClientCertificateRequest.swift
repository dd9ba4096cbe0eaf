import CBluebonnet
import Foundation
import FoundationNetworking

/// A server's request for a client certificate, and the alert that can follow.
///
/// In TLS 1.3, a server can reject a certificate after the client has finished the handshake,
/// perhaps while the HTTP request is being sent (RFC 8446 section 4.4.2.4). The server then closes
/// the connection, so sending fails. The alert is in the kernel by then, and libcurl is made to
/// read it first. Used only on the loop thread.
struct ClientCertificateRequest {
    /// Whether a certificate was sent.
    let wasAnswered: Bool
    private let closure: TLSClosure

    /// Creates the request on a handle's connection, or returns nil if the server sent none.
    ///
    /// Call this only from libcurl callbacks.
    init?(on handle: EasyHandle) {
        let state = bb_easy_client_certificate(handle.easy)
        guard state != BB_CLIENT_CERTIFICATE_UNASKED, let closure = TLSClosure(of: handle) else {
            return nil
        }
        bb_easy_read_before_failing(handle.easy)
        wasAnswered = state == BB_CLIENT_CERTIFICATE_SENT
        self.closure = closure
    }

    /// The failure that the server's alert stands for, or nil if it sent none about a certificate.
    var failure: Exchange.Failure? {
        guard let alert = closure.alert,
            let refusal = ClientCertificateRefusal(alert: alert, wasSent: wasAnswered)
        else { return nil }
        return Exchange.Failure(
            refusal.code, message: refusal.message(ClientCertificateRefusal.text(of: alert)))
    }

    /// A possible reason why a connection was lost before the server sent anything, for a message.
    var suspicion: String {
        wasAnswered
            ? "the server had requested a client certificate, and may have refused what it received"
            : "the server had requested a client certificate, received none, and may require one"
    }
}
