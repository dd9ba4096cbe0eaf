import CBluebonnet
import Foundation
import FoundationNetworking

/// A libcurl easy handle that is the template of a pool's handles.
///
/// It never sends anything. It has every option that all exchanges of the pool share, so these are
/// set and checked only once. Used only on the loop thread.
final class EasyHandleTemplate {
    let easy: UnsafeMutableRawPointer
    /// Whether it is for exchanges with TLS.
    let isSecure: Bool
    /// Whether a response can be in HTTP/2.
    private(set) var speaksHTTP2 = false
    /// The identity that connections offer.
    ///
    /// It must outlive the connections, which are closed before their pool's templates are
    /// released.
    let identity: TLSIdentity?
    /// The settings of the route, which libcurl reads as long as handles are in use.
    let settings: RouteSettings
    /// The TLS settings of new connections to servers beyond libcurl's options, or nil for none.
    let tlsContext: TLSContext?

    init(
        pool: Exchange.Pool,
        settings: RouteSettings,
        isSecure: Bool,
        loop: EventLoop
    ) throws(Exchange.Failure) {
        let isInsideTLS = settings.proxy(isSecure)?.scheme == .https
        let tlsContext = isSecure ? try TLSContext.of(pool, isInsideTLS: isInsideTLS) : nil
        guard let easy = curl_easy_init() else { throw .noMemory }
        self.tlsContext = tlsContext
        self.easy = easy
        self.isSecure = isSecure
        self.settings = settings
        identity = pool.identity
        let version = pool.httpVersion.option(isSecure: isSecure)
        for (option, value) in Self.constants + ConnectionAges(of: pool).options {
            try check(bb_easy_set_long(easy, option, value))
        }
        try check(bb_easy_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        try check(bb_easy_set_string(easy, CURLOPT_CAPATH, nil))
        if let certificateAuthorityFile = pool.certificateAuthorityFile {
            try check(bb_easy_set_string(easy, CURLOPT_CAINFO, certificateAuthorityFile))
        }
        if isSecure { try apply(pool.trust) }
        try settings.apply(to: easy, isSecure: isSecure)
        try check(bb_easy_set_long(easy, CURLOPT_HTTP_VERSION, version))
        speaksHTTP2 = version != bb_http_version_1_1
        // In a burst, exchanges wait for the first connection to learn whether it can carry them
        // too.
        try check(bb_easy_set_long(easy, CURLOPT_PIPEWAIT, speaksHTTP2 ? 1 : 0))
        try setCallbacks(loop)
        if isSecure || isInsideTLS, bb_tls_is_openssl() != 0 {
            try check(bb_easy_set_tls_context_callback(easy, prepareTLS))
        }
    }

    deinit {
        curl_easy_cleanup(easy)
    }

    private func setCallbacks(_ loop: EventLoop) throws(Exchange.Failure) {
        try check(bb_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeaderLine))
        try check(bb_easy_set_data_callback(easy, CURLOPT_WRITEFUNCTION, receiveBody))
        try check(bb_easy_set_data_callback(easy, CURLOPT_READFUNCTION, provideBody))
        try check(bb_easy_set_seek_callback(easy, rewindBody))
        try check(bb_easy_set_prerequest_callback(easy, aboutToSend))
        try check(bb_easy_set_resolver_start_callback(easy, aboutToLookUp))
        try check(bb_easy_set_open_socket_callback(easy, openSocket))
        try check(bb_easy_set_socket_setup_callback(easy, setUpSocket))
        try check(bb_easy_set_close_socket_callback(easy, closeSocket))
        try check(bb_easy_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, loop.context))
        try check(bb_easy_set_debug_callback(easy, receiveNote))
    }

    /// Sets the options that libcurl leaves out when it copies a handle.
    func complete(_ copy: UnsafeMutableRawPointer) throws(Exchange.Failure) {
        try settings.complete(copy)
    }

    private func check(_ result: CURLcode) throws(Exchange.Failure) {
        guard result == CURLE_OK else { throw .refusedOption(result) }
    }

    /// The default number of bytes that are read at a time.
    ///
    /// It is below the size from which the allocator maps and unmaps memory for each allocation.
    static let receiveBufferSize = 32 * 1024

    /// The number of seconds for which looked-up addresses are cached, which is libcurl's default.
    static let addressLifetime = 60

    private static let constants: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1),
        (CURLOPT_QUICK_EXIT, 1),
        (CURLOPT_FOLLOWLOCATION, 0),
        // The layers above have already decided on the URL. Dots in it can be part of a signed
        // name.
        (CURLOPT_PATH_AS_IS, 1),
        (CURLOPT_NOPROGRESS, 1),
        (CURLOPT_TCP_KEEPALIVE, 1),
        (CURLOPT_NETRC, bb_netrc_ignored),
        (CURLOPT_HTTP_CONTENT_DECODING, 0),
        // `ChunkDecoder` needs the chunks as they were sent. libcurl still reads them to find the
        // end of the response, and keeps the connection.
        (CURLOPT_HTTP_TRANSFER_DECODING, 0),
        // `TunnelResponse` checks these heads and keeps them out of the response's head.
        (CURLOPT_SUPPRESS_CONNECT_HEADERS, 0),
        (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
        (CURLOPT_BUFFERSIZE, receiveBufferSize),
        (CURLOPT_DNS_CACHE_TIMEOUT, addressLifetime),
    ]
}

extension Exchange.Failure {
    static let noMemory = Self(.unknown, message: "libcurl ran out of memory for a transfer")

    static func refusedOption(_ result: CURLcode) -> Self {
        Self(
            result: result,
            detail: "libcurl refused an option: \(String(cString: curl_easy_strerror(result)))",
            systemErrorNumber: 0
        )
    }
}
