import CBluebonnet
import Foundation
import FoundationNetworking

/// A server's request for a client certificate, and its word on what it got.
///
/// In TLS 1.3 that word comes when the handshake is over for the client, perhaps while the HTTP request
/// is being sent (RFC 8446 section 4.4.2.4). The server closes the connection behind it, so that
/// sending fails. The alert is in the kernel by then, and libcurl is made to read it first. It lives
/// on the loop thread.
struct ClientCertificateRequest {
    /// Whether a certificate was sent.
    let wasAnswered: Bool
    private let closure: TLSClosure

    /// Nil where the server has not asked; to be made in one of libcurl's callbacks.
    init?(on handle: EasyHandle) {
        let state = bb_easy_client_certificate(handle.easy)
        guard state != BB_CLIENT_CERTIFICATE_UNASKED, let closure = TLSClosure(of: handle) else {
            return nil
        }
        bb_easy_read_before_failing(handle.easy)
        wasAnswered = state == BB_CLIENT_CERTIFICATE_SENT
        self.closure = closure
    }

    /// The failure that the server's word stands for; nil where it said nothing about a certificate.
    var failure: Exchange.Failure? {
        guard let alert = closure.alert,
            let refusal = ClientCertificateRefusal(alert: alert, wasSent: wasAnswered)
        else { return nil }
        return Exchange.Failure(
            refusal.code, message: refusal.message(ClientCertificateRefusal.text(of: alert)))
    }

    /// What can be said of a connection that was lost before the server said anything.
    var suspicion: String {
        wasAnswered
            ? "the server had asked for a client certificate, and may have refused the one it got"
            : "the server had asked for a client certificate, got none, and may insist on one"
    }
}
