import CBluebonnet
import Foundation
import FoundationNetworking

/// The settings for the TLS context of each new connection of a pool to a server.
///
/// It lives on the loop thread.
final class TLSContext {
    private let evaluator: TrustEvaluator
    /// The files with the anchors, or nil if the evaluator has its own.
    private let source: AuthorityFiles.Source?
    /// The authorities of the last new connection, retained for the next one.
    private var authorities: Authorities?
    /// The decisions about servers, or nil if the hook is never asked.
    private let decisions: TrustDecisions?

    private init(_ pool: Exchange.Pool) throws(Exchange.Failure) {
        evaluator = try TrustEvaluator(pool.trust)
        let hasOwnAnchors = pool.trust.goal != .authority || !pool.trust.authorities.isEmpty
        source = hasOwnAnchors ? nil : AuthorityFiles.Source(pool)
        decisions = pool.decisions
    }

    /// Whether libcurl's own check of the host name is disabled, because the hook can overrule it.
    var overrulesNames: Bool { decisions != nil }

    /// Returns the settings of a pool, or nil if nothing is verified or libcurl alone verifies.
    ///
    /// Throws if a judge is needed but would not be called, because libcurl uses another TLS
    /// library than this one.
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
                    every server need a libcurl that uses OpenSSL 3, but this process has loaded \
                    another one; install libcurl4, or use a file of authorities and no pins
                    """
            )
        }
        guard !isInsideTLS || tellsProxiesApart() else {
            guard needsJudge else { return nil }
            // Otherwise a server could be taken for the proxy, and would not be judged.
            throw Exchange.Failure(
                .secureConnectionFailed,
                message: """
                    the system's OpenSSL configuration disables empty fragments for every \
                    connection, so a TLS proxy cannot be distinguished from the server behind it; \
                    remove "Bugs" or "EmptyFragments" from the Options in openssl.cnf
                    """
            )
        }
        return try TLSContext(pool)
    }

    /// Sets up the context of a connection that a handle opens.
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
    /// Sets how servers are verified, and which versions and ciphers of TLS are used.
    func apply(_ trust: Exchange.Trust) throws(Exchange.Failure) {
        // Without verification, OpenSSL would call the judge but ignore its result.
        let verifies = trust.goal != .anything || tlsContext != nil
        // The judge checks the name too, and the hook can overrule that check.
        let checksName = trust.verifiesHostName && tlsContext?.overrulesNames != true
        let version =
            trust.minimumVersion == .tls13 ? bb_tls_version_1_3 : bb_tls_version_1_2
        var results = [
            bb_easy_set_long(easy, CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0),
            bb_easy_set_long(easy, CURLOPT_SSL_VERIFYHOST, checksName ? 2 : 0),
            bb_easy_set_long(easy, CURLOPT_SSLVERSION, version),
        ]
        if let list = trust.cipherList {
            results.append(bb_easy_set_string(easy, CURLOPT_SSL_CIPHER_LIST, list))
        }
        if let suites = trust.cipherSuites {
            results.append(bb_easy_set_string(easy, CURLOPT_TLS13_CIPHERS, suites))
        }
        // libcurl's own authorities are not used then, and need not be read for each pool.
        if tlsContext != nil {
            results.append(bb_easy_set_string(easy, CURLOPT_CAINFO, nil))
            // Before libcurl 8.3, its cache would replace the authorities of the context.
            results.append(bb_easy_set_long(easy, CURLOPT_CA_CACHE_TIMEOUT, 0))
        }
        if let refused = results.first(where: { $0 != CURLE_OK }) { throw .refusedOption(refused) }
    }
}

/// Prepares the `SSL_CTX` of each new TLS connection.
///
/// libcurl calls this on the loop thread.
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
    // A context is the proxy's only if it is the first one of a connection through a TLS proxy and
    // has the mark. Any other context is treated as the server's and judged.
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
    /// Runs a step, stores its failure, and returns the result for libcurl.
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
