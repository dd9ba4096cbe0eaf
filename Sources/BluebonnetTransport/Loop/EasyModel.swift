import CBluebonnet
import Foundation
import FoundationNetworking

/// A libcurl easy handle that never sends anything: a pool's handles are copies of it.
///
/// It has every option that all exchanges of the pool have in common, so they are set, and their
/// values checked, once. It lives on the loop thread.
final class EasyModel {
    let easy: UnsafeMutableRawPointer

    init(certificateAuthorityFile: String?, loop: CurlLoop) throws(Exchange.Failure) {
        guard let easy = curl_easy_init() else { throw .noMemory }
        self.easy = easy
        for (option, value) in Self.constants {
            try check(bb_easy_set_long(easy, option, value))
        }
        try check(bb_easy_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        // Environment variables do not decide where a server's requests go.
        try check(bb_easy_set_string(easy, CURLOPT_PROXY, ""))
        // Defaults that every copy would copy: for a proxy there are no certificates to check.
        for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH] {
            try check(bb_easy_set_string(easy, option, nil))
        }
        if let certificateAuthorityFile {
            try check(bb_easy_set_string(easy, CURLOPT_CAINFO, certificateAuthorityFile))
        }
        try setCallbacks(loop)
    }

    deinit {
        curl_easy_cleanup(easy)
    }

    private func setCallbacks(_ loop: CurlLoop) throws(Exchange.Failure) {
        try check(bb_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeaderLine))
        try check(bb_easy_set_data_callback(easy, CURLOPT_WRITEFUNCTION, receiveBody))
        try check(bb_easy_set_data_callback(easy, CURLOPT_READFUNCTION, provideBody))
        try check(bb_easy_set_seek_callback(easy, rewindBody))
        try check(bb_easy_set_prerequest_callback(easy, aboutToSend))
        try check(bb_easy_set_open_socket_callback(easy, openSocket))
        try check(bb_easy_set_close_socket_callback(easy, closeSocket))
        for option in [CURLOPT_OPENSOCKETDATA, CURLOPT_CLOSESOCKETDATA] {
            try check(bb_easy_set_pointer(easy, option, loop.context))
        }
    }

    private func check(_ result: CURLcode) throws(Exchange.Failure) {
        guard result == CURLE_OK else { throw .refusedOption(result) }
    }

    private static let constants: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1),
        (CURLOPT_QUICK_EXIT, 1),
        (CURLOPT_FOLLOWLOCATION, 0),
        // The URL was decided over by others; dots in it may be part of a signed name.
        (CURLOPT_PATH_AS_IS, 1),
        (CURLOPT_NOPROGRESS, 1),
        (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
        (CURLOPT_TCP_KEEPALIVE, 1),
        (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
        (CURLOPT_HTTP_CONTENT_DECODING, 0),
        (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
        (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
        (CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2),
        // Below the size from which the allocator maps and unmaps memory each time.
        (CURLOPT_BUFFERSIZE, 32 * 1024),
        (CURLOPT_MAXLIFETIME_CONN, 600),
    ]
}

extension Exchange.Failure {
    static let noMemory = Self(.unknown, message: "libcurl has no memory for a transfer")

    static func refusedOption(_ result: CURLcode) -> Self {
        Self(
            result: result,
            detail: "libcurl refused an option: \(String(cString: curl_easy_strerror(result)))",
            systemErrorNumber: 0,
            isConnectionReused: false
        )
    }
}
