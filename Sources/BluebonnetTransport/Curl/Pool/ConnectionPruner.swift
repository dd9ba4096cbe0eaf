import CBluebonnet

/// An exchange with nobody, for which libcurl looks through a pool's idle connections.
///
/// libcurl closes those that are too old, or at their end, before it makes a connection, at most once a
/// second, and never of its own accord. It lives on the loop thread.
final class ConnectionPruner {
    private let easy: UnsafeMutableRawPointer

    /// Nil where there is no memory for it.
    init?(template: EasyHandleTemplate) {
        // A copy without an exchange is given no socket: see `openSocket`.
        guard let easy = curl_easy_duphandle(template.easy) else { return nil }
        self.easy = easy
        let results = [
            bb_easy_set_string(easy, CURLOPT_URL, "http://127.0.0.1/"),
            bb_easy_set_string(easy, CURLOPT_NOPROXY, "*"),
            // It would take a kept connection to that host, and end it.
            bb_easy_set_long(easy, CURLOPT_FRESH_CONNECT, 1),
        ]
        guard results.allSatisfy({ $0 == CURLE_OK }) else { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
    }

    /// Has libcurl begin, with a call of `act`, and takes back what it has begun.
    func prune(_ multi: UnsafeMutableRawPointer, acting act: () -> Void) {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return }
        act()
        curl_multi_remove_handle(multi, easy)
    }
}
