import CBluebonnet

/// A request that is never sent, which makes libcurl close a pool's old connections.
///
/// libcurl looks for idle connections that are too old or have ended only before it makes a connection,
/// and at most once a second. It lives on the loop thread.
final class ConnectionPruner {
    private let easy: UnsafeMutableRawPointer

    /// Returns nil if memory is out.
    init?(template: EasyHandleTemplate) {
        // Without an exchange it gets no socket: see `openSocket`.
        guard let easy = curl_easy_duphandle(template.easy) else { return nil }
        self.easy = easy
        let results = [
            bb_easy_set_string(easy, CURLOPT_URL, "http://127.0.0.1/"),
            bb_easy_set_string(easy, CURLOPT_NOPROXY, "*"),
            // Without this it would use, and end, a kept connection to that host.
            bb_easy_set_long(easy, CURLOPT_FRESH_CONNECT, 1),
        ]
        guard results.allSatisfy({ $0 == CURLE_OK }) else { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
    }

    /// Gives the request to libcurl, has it act, and takes the request back.
    func prune(_ multi: UnsafeMutableRawPointer, acting act: () -> Void) {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return }
        act()
        curl_multi_remove_handle(multi, easy)
    }
}
