import CBluebonnet

/// A connection cache that is always empty, so that a handle finds no connection in it.
///
/// Used only on the loop thread.
final class EmptyConnectionCache {
    let share: UnsafeMutableRawPointer

    /// Creates a cache, or returns nil if there is no memory for it.
    init?() {
        guard let share = curl_share_init() else { return nil }
        guard bb_share_set_data(share, CURL_LOCK_DATA_CONNECT) == CURLSHE_OK else {
            curl_share_cleanup(share)
            return nil
        }
        self.share = share
    }

    deinit {
        curl_share_cleanup(share)
    }
}
