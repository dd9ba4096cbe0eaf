import CBluebonnet
import Foundation
import FoundationNetworking

/// Tells how the TLS of a connection came to its end, also when libcurl has closed it.
///
/// libcurl takes the end of a connection for the end of a body that nothing else delimits, though
/// anybody on the way can make it. Only TLS's own end, `close_notify`, is the server's (RFC 9112
/// section 9.8). It lives on the loop thread.
final class TLSClosure {
    private let end: OpaquePointer

    /// Nil where there is no TLS; to be made in one of libcurl's callbacks.
    init?(of handle: EasyHandle) {
        guard let end = bb_easy_watch_tls_end(handle.easy) else { return nil }
        self.end = end
    }

    deinit {
        bb_tls_end_release(end)
    }

    /// Whether the server has said that it was the end.
    var isOrderly: Bool { bb_tls_end_was_noted(end) != 0 }

    /// The number of the alert with which the server has ended the connection; nil without one (RFC
    /// 8446 section 6.2).
    var alert: UInt8? { UInt8(exactly: bb_tls_end_alert(end)) }
}

extension CurlTransfer {
    /// Sees to it that the end of a body that nothing else delimits is the server's, unless its host
    /// may do without.
    func watchTLSClosure() {
        guard let handle else { return }
        if exchange.pool.allowsEndWithoutCloseNotify(of: exchange.url) {
            bb_easy_ignore_truncation(handle.easy)
        } else {
            connection.tlsClosure = TLSClosure(of: handle)
        }
    }

    /// Whether libcurl itself has noticed that such an end is not the server's, as 8.14 does.
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
            delimits the response's body, so it may have been cut short by anybody on the way; if its \
            host always ends so, name that in hostsWithoutCloseNotify of the session's configuration
            """
    )
}
