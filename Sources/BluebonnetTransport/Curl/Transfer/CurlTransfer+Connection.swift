import CBluebonnet
import Foundation
import FoundationNetworking

// What an exchange learns of its connection while libcurl calls back; nothing may be started there.
extension CurlTransfer {
    /// Notes that there is a connection, on which the request is about to be sent.
    func noteConnection() {
        addressIsKnown()
        tunnelResponse = nil
        if stamps.connected == nil { stamps.connected = loop.now }
        tellWhoWaits()
        lastActivity = loop.now
        if exchange.timeouts.head != nil { loop.noteDeadline(of: self) }
        if let handle, host?.isSecure == true { security = handle.security }
    }

    /// Lets the exchanges with the same host go on that wait to see what a new connection speaks.
    private func tellWhoWaits() {
        guard let handle, handle.template.speaksHTTP2, let host, host.activeCount > 1,
            handle.number(CURLINFO_NUM_CONNECTS) > 0
        else { return }
        handle.connectionPool.connectionIsKnown()
    }

    /// Lets another exchange look up a host's addresses, if this one counted among those that may.
    func addressIsKnown() {
        guard isLookingUp, let connectionPool = handle?.connectionPool else { return }
        connectionPool.queue.addressIsKnown(to: self)
        connectionPool.admitSoon()
    }

    /// Notes what the response's version says of the connections to its host.
    func noteVersion(isHTTP2: Bool, on handle: EasyHandle) throws(Exchange.Failure) {
        guard let host else { return }
        guard !isHTTP2 || (handle.template.speaksHTTP2 && handle.isHTTP2Possible) else {
            throw .malformed("the response claims to be HTTP/2, which was not spoken")
        }
        isMultiplexed = isHTTP2 && handle.template.speaksHTTP2
        guard host.multiplexes != isMultiplexed else { return }
        handle.connectionPool.queue.note(host, multiplexes: isMultiplexed)
        handle.connectionPool.admitSoon()
    }

    /// Whether libcurl has watched a socket for it.
    var hasSocket: Bool { socket >= 0 }

    /// Whether it may be using any of its pool's connections, and not just the one that libcurl
    /// last watched for it.
    var isConnectionUncertain: Bool {
        !hasSocket || isMultiplexed || (!hasHead && exchange.pool.httpVersion.mayMultiplex)
    }

    /// Whether a socket that libcurl does not watch any more is its own, which is paused.
    func holds(_ socket: Int32) -> Bool {
        guard isHeldBack, stage == .active, self.socket == socket,
            !isConnectionUncertain
        else { return false }
        hasHeldSocket = true
        return true
    }

    /// Whether nobody knows what has become of its connection, if others could go on with it.
    ///
    /// A cancelled stream says nothing against its connection.
    var leavesUncertainConnection: Bool {
        guard let failure else { return false }
        return failure.code != .cancelled
    }

    /// The failure of an exchange that did not get through its proxy; nil where none is to blame.
    func failureOnTheWay(_ result: CURLcode) -> Exchange.Failure? {
        guard let handle, let proxy = handle.proxy else { return nil }
        let status = handle.number(CURLINFO_HTTP_CONNECTCODE)
        if proxy.scheme != .socks5h, status != 0, !(200..<300).contains(status) {
            return .tunnelRefused(by: proxy, status: status, curlCode: Int32(result.rawValue))
        }
        if result == CURLE_PROXY, handle.rejectsProxyLogin {
            return Exchange.Failure(
                .userAuthenticationRequired,
                message: "the proxy \(proxy) did not accept the login: \(handle.errorText)",
                curlCode: Int32(result.rawValue)
            )
        }
        guard attempts == 0, Self.resultsOfBrokenTunnels.contains(result.rawValue) else {
            return nil
        }
        return Exchange.Failure(
            .cannotConnectToHost,
            message: "the proxy \(proxy) opened no tunnel: \(handle.errorText)",
            curlCode: Int32(result.rawValue)
        )
    }

    /// What libcurl gives before a request was sent because of what a proxy sent, or did not.
    private static let resultsOfBrokenTunnels = Set(
        [
            CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT,
        ].map(\.rawValue)
    )
}

/// What TLS settled on for a connection.
struct ConnectionSecurity {
    var version: String
    var cipherSuite: String
}

extension EasyHandle {
    /// The TLS of the connection in use; nil outside of libcurl's callbacks.
    fileprivate var security: ConnectionSecurity? {
        guard let version = bb_easy_get_tls_version(easy),
            let suite = bb_easy_get_tls_cipher_suite(easy)
        else { return nil }
        return ConnectionSecurity(
            version: String(cString: version), cipherSuite: String(cString: suite))
    }

    /// Whether the connection in use may be one with HTTP/2, whatever a status line says.
    fileprivate var isHTTP2Possible: Bool {
        !template.isSecure || bb_easy_may_be_http2(easy) != 0
    }

    /// Whether a SOCKS proxy wants another login, or one at all.
    fileprivate var rejectsProxyLogin: Bool {
        let error = CURLproxycode(UInt32(truncatingIfNeeded: number(CURLINFO_PROXY_ERROR)))
        return error == CURLPX_USER_REJECTED || error == CURLPX_NO_AUTH
    }
}
