import CBluebonnet

/// A request that is never sent, and that makes libcurl close a pool's old connections.
///
/// libcurl looks for idle connections that are too old or have ended only before it opens a
/// connection, and at most once per second. Used only on the loop thread.
final class ConnectionPruner {
    private let easy: UnsafeMutableRawPointer

    /// Creates a pruner, or returns nil if there is no memory for it.
    init?(template: EasyHandleTemplate) {
        // Without an exchange, it gets no socket: see `openSocket`.
        guard let easy = curl_easy_duphandle(template.easy) else { return nil }
        self.easy = easy
        let results = [
            bb_easy_set_string(easy, CURLOPT_URL, "http://127.0.0.1/"),
            bb_easy_set_string(easy, CURLOPT_NOPROXY, "*"),
            // Without this, it would use and end an idle connection to that host.
            bb_easy_set_long(easy, CURLOPT_FRESH_CONNECT, 1),
        ]
        guard results.allSatisfy({ $0 == CURLE_OK }) else { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
    }

    /// Adds the request to libcurl, makes libcurl act, and removes the request.
    func prune(_ multi: UnsafeMutableRawPointer, acting act: () -> Void) {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return }
        act()
        curl_multi_remove_handle(multi, easy)
    }
}
