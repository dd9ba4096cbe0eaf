import CBluebonnet
import Foundation
import FoundationNetworking

/// A libcurl easy handle that never sends anything: a pool's handles are copies of it.
///
/// It has every option that all exchanges of the pool have in common, so they are set, and their
/// values checked, once. It lives on the loop thread.
final class EasyHandleTemplate {
    let easy: UnsafeMutableRawPointer
    /// Whether it is for exchanges with TLS.
    let isSecure: Bool
    /// Whether a response may be in HTTP/2.
    private(set) var speaksHTTP2 = false
    /// What connections offer; they are gone before their pool's templates are.
    let identity: TLSIdentity?
    /// Holds what libcurl reads for as long as handles are in use.
    let settings: RouteSettings
    /// What new connections to servers are given beyond libcurl's options; nil for nothing.
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
        speaksHTTP2 = version != CURL_HTTP_VERSION_1_1
        // A burst waits for the first connection, to learn whether it carries the others too.
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
        try check(bb_easy_set_open_socket_callback(easy, openSocket))
        try check(bb_easy_set_socket_setup_callback(easy, setUpSocket))
        try check(bb_easy_set_close_socket_callback(easy, closeSocket))
        try check(bb_easy_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, loop.context))
    }

    /// Sets on a copy what copying leaves out.
    func complete(_ copy: UnsafeMutableRawPointer) throws(Exchange.Failure) {
        try settings.complete(copy)
    }

    private func check(_ result: CURLcode) throws(Exchange.Failure) {
        guard result == CURLE_OK else { throw .refusedOption(result) }
    }

    /// Below the size from which the allocator maps and unmaps memory each time.
    static let receiveBufferSize = 32 * 1024

    /// In seconds; as long as libcurl has it unasked.
    static let addressLifetime = 60

    private static let constants: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1),
        (CURLOPT_QUICK_EXIT, 1),
        (CURLOPT_FOLLOWLOCATION, 0),
        // The URL was decided over by others; dots in it may be part of a signed name.
        (CURLOPT_PATH_AS_IS, 1),
        (CURLOPT_NOPROGRESS, 1),
        (CURLOPT_TCP_KEEPALIVE, 1),
        (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
        (CURLOPT_HTTP_CONTENT_DECODING, 0),
        // Chunks are handed over as they came, for `ChunkDecoder`. libcurl reads them too, to find the
        // response's end, and keeps the connection.
        (CURLOPT_HTTP_TRANSFER_DECODING, 0),
        // They are looked at, and kept from the response's head: see `TunnelResponse`.
        (CURLOPT_SUPPRESS_CONNECT_HEADERS, 0),
        (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
        (CURLOPT_BUFFERSIZE, receiveBufferSize),
        (CURLOPT_DNS_CACHE_TIMEOUT, addressLifetime),
    ]
}

extension Exchange.Failure {
    static let noMemory = Self(.unknown, message: "libcurl has no memory for a transfer")

    static func refusedOption(_ result: CURLcode) -> Self {
        Self(
            result: result,
            detail: "libcurl refused an option: \(String(cString: curl_easy_strerror(result)))",
            systemErrorNumber: 0
        )
    }
}
