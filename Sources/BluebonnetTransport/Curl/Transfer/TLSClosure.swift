import CBluebonnet
import Foundation
import FoundationNetworking

/// An observer of how a connection's TLS ends, which outlives the connection.
///
/// libcurl accepts the end of a connection as the end of a body that nothing else delimits,
/// although anyone on the network path can cause it. Only TLS's own end, `close_notify`, comes from
/// the server (RFC 9112 section 9.8). Used only on the loop thread.
final class TLSClosure {
    private let end: OpaquePointer

    /// Creates an observer, or returns nil if there is no TLS.
    ///
    /// Call this only from libcurl callbacks.
    init?(of handle: EasyHandle) {
        guard let end = bb_easy_watch_tls_end(handle.easy) else { return nil }
        self.end = end
    }

    deinit {
        bb_tls_end_release(end)
    }

    /// Whether the server has sent `close_notify`.
    var isOrderly: Bool { bb_tls_end_was_noted(end) != 0 }

    /// The number of the alert with which the server ended the connection, or nil without one (RFC
    /// 8446 section 6.2).
    var alert: UInt8? { UInt8(exactly: bb_tls_end_alert(end)) }
}

extension CurlTransfer {
    /// Requires `close_notify` at the end of a body that nothing else delimits, unless its host is
    /// exempt.
    func watchTLSClosure() {
        guard let handle else { return }
        if exchange.pool.allowsEndWithoutCloseNotify(of: exchange.url) {
            bb_easy_ignore_truncation(handle.easy)
        } else {
            connection.tlsClosure = TLSClosure(of: handle)
        }
    }

    /// Returns whether libcurl itself has noticed that `close_notify` is missing, as 8.14 does.
    func wasCutInTLS(_ result: CURLcode) -> Bool {
        connection.tlsClosure?.isOrderly == false && result == CURLE_RECV_ERROR
            && handle?.errorText.contains("unexpected eof") == true
    }
}

extension Exchange.Pool {
    fileprivate func allowsEndWithoutCloseNotify(of url: String) -> Bool {
        guard !hostsWithoutCloseNotify.isEmpty, let host = URLHost(of: url) else { return false }
        return hostsWithoutCloseNotify.contains { $0.matches(host) }
    }
}

extension Exchange.Failure {
    static let cutInTLS = Self(
        .networkConnectionLost,
        message: """
            the connection ended without TLS's close_notify, and only the end of the connection \
            delimits the response's body, so the body may have been cut short; if the host never \
            sends close_notify, add it to hostsWithoutCloseNotify in the session's configuration
            """
    )
}
