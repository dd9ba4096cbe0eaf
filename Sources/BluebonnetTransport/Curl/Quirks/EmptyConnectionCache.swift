import CBluebonnet

/// A cache of connections that never holds one, where a handle looks for its own in vain.
///
/// It lives on the loop thread.
final class EmptyConnectionCache {
    let share: UnsafeMutableRawPointer

    /// Nil where there is no memory for it.
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
