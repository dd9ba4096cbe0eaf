import CBluebonnet
import Foundation
import FoundationNetworking

/// What is set in the TLS context of each new connection of a pool to a server.
///
/// It lives on the loop thread.
final class TLSContext {
    private let evaluator: TrustEvaluator
    /// Where the anchors come from; nil where the evaluator has its own.
    private let source: AuthorityFiles.Source?
    /// What the last connection began with.
    private var authorities: Authorities?
    /// Who may be asked about servers; nil for nobody.
    private let decisions: TrustDecisions?

    private init(_ pool: Exchange.Pool) throws(Exchange.Failure) {
        evaluator = try TrustEvaluator(pool.trust)
        let hasOwnAnchors = pool.trust.goal != .authority || !pool.trust.authorities.isEmpty
        source = hasOwnAnchors ? nil : AuthorityFiles.Source(pool)
        decisions = pool.decisions
    }

    /// Whether libcurl's own check of the name would come too early, and too often.
    var overrulesNames: Bool { decisions != nil }

    /// Nil where nothing is verified, and where libcurl alone has to do it.
    ///
    /// A TLS library other than the one that is called here would not ask, so it is refused where a
    /// judge is needed.
    static func of(
        _ pool: Exchange.Pool,
        isInsideTLS: Bool = false,
        isOpenSSL: Bool = bb_tls_is_openssl() != 0,
        tellsProxiesApart: @autoclosure () -> Bool = bb_tls_context_can_be_told_apart() != 0
    ) throws(Exchange.Failure) -> TLSContext? {
        let isAlwaysAsked = pool.decisions?.occasion == .always
        guard pool.trust.goal != .anything || isAlwaysAsked else { return nil }
        let needsJudge =
            pool.trust.needsJudge || isAlwaysAsked || pool.revocationListFile != nil
        guard isOpenSSL else {
            guard needsJudge else { return nil }
            throw Exchange.Failure(
                .secureConnectionFailed,
                message: """
                    pins, certificate authorities in memory, revocation lists and challenges for \
                    every server need a libcurl on OpenSSL 3, and this process has loaded another; \
                    install libcurl4, or give the authorities as a file and no pins
                    """
            )
        }
        guard !isInsideTLS || tellsProxiesApart() else {
            guard needsJudge else { return nil }
            // A server would pass for the proxy, and not be judged.
            throw Exchange.Failure(
                .secureConnectionFailed,
                message: """
                    the system's configuration of OpenSSL turns empty fragments off for every \
                    connection, so that a proxy with TLS cannot be told from the server behind it; \
                    remove "Bugs" or "EmptyFragments" from the Options in openssl.cnf
                    """
            )
        }
        return try TLSContext(pool)
    }

    /// Sets up the context of a connection that a handle makes.
    func setUp(
        _ context: OpaquePointer,
        for handle: EasyHandle
    ) throws(Exchange.Failure) {
        guard let url = handle.transfer?.exchange.url, let server = TrustedServer(url: url) else {
            throw .noMemory
        }
        if let source {
            let authorities = try handle.connectionPool.loop.authorityFiles.authorities(of: source)
            self.authorities = authorities
            bb_tls_context_set_authorities(context, authorities.pointer)
        }
        let judge = CertificateJudge(evaluator, for: server, decisions)
        handle.judge = judge
        guard judge.presides(over: context) else { throw .noMemory }
    }
}

extension EasyHandleTemplate {
    /// Sets how servers are verified, and which TLS is spoken with them.
    func apply(_ trust: Exchange.Trust) throws(Exchange.Failure) {
        // Without it OpenSSL asks the judge, and does not mind the answer.
        let verifies = trust.goal != .anything || tlsContext != nil
        // The judge checks the name too, and somebody may be asked about it.
        let checksName = trust.verifiesHostName && tlsContext?.overrulesNames != true
        let version =
            trust.minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
        var results = [
            bb_easy_set_long(easy, CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0),
            bb_easy_set_long(easy, CURLOPT_SSL_VERIFYHOST, checksName ? 2 : 0),
            bb_easy_set_long(easy, CURLOPT_SSLVERSION, Int(version)),
        ]
        if let list = trust.cipherList {
            results.append(bb_easy_set_string(easy, CURLOPT_SSL_CIPHER_LIST, list))
        }
        if let suites = trust.cipherSuites {
            results.append(bb_easy_set_string(easy, CURLOPT_TLS13_CIPHERS, suites))
        }
        // Nobody asks for libcurl's authorities then, so it need not read them for each pool.
        if tlsContext != nil {
            results.append(bb_easy_set_string(easy, CURLOPT_CAINFO, nil))
            // Before libcurl 8.3 what it keeps would take the place of what a context was given.
            results.append(bb_easy_set_long(easy, CURLOPT_CA_CACHE_TIMEOUT, 0))
        }
        if let refused = results.first(where: { $0 != CURLE_OK }) { throw .refusedOption(refused) }
    }
}

/// Called by libcurl with the `SSL_CTX` of each new TLS connection, on the loop thread.
func prepareTLS(
    easy: UnsafeMutableRawPointer?,
    tlsContext: UnsafeMutableRawPointer?,
    context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let context, let tlsContext else { return CURLE_SSL_CONNECT_ERROR }
    let handle = EasyHandle.from(context)
    let pointer = OpaquePointer(tlsContext)
    bb_tls_context_notice_truncation(pointer)
    defer { handle.tlsContextCount += 1 }
    // What is not surely the proxy's is the server's, and judged: the first TLS of a connection through
    // such a proxy, with the mark of one.
    if let proxy = handle.proxy, proxy.scheme == .https, handle.tlsContextCount == 0,
        bb_tls_context_is_for_proxy(pointer) != 0
    {
        return handle.succeeds { () throws(Exchange.Failure) in
            let files = handle.connectionPool.loop.authorityFiles
            let authorities = try files.authorities(of: AuthorityFiles.Source(proxy))
            handle.template.settings.proxyAuthorities = authorities
            bb_tls_context_set_authorities(pointer, authorities.pointer)
        }
    }
    let offered = handle.offerIdentity(in: tlsContext)
    guard offered == CURLE_OK else { return offered }
    return handle.succeeds { () throws(Exchange.Failure) in
        try handle.template.tlsContext?.setUp(pointer, for: handle)
    }
}

extension EasyHandle {
    /// Takes a step, and keeps why it failed.
    fileprivate func succeeds(_ step: () throws(Exchange.Failure) -> Void) -> CURLcode {
        do throws(Exchange.Failure) {
            try step()
            return CURLE_OK
        } catch {
            trustFailure = error
            return CURLE_SSL_CONNECT_ERROR
        }
    }
}
