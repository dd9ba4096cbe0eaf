import CBluebonnet

/// The TLS session caches of a pool's hosts.
///
/// Before libcurl 8.12, one of its caches holds eight sessions and cannot be enlarged, so hosts are
/// spread over several caches. Used only on the loop thread.
final class TLSSessionCaches {
    private static let count = 32

    private var shares = [UnsafeMutableRawPointer?](repeating: nil, count: count)

    deinit {
        for share in shares { curl_share_cleanup(share) }
    }

    /// Returns the cache for a scheme, host, and port.
    func share(for key: String) throws(Exchange.Failure) -> UnsafeMutableRawPointer {
        let index = Int(UInt(bitPattern: key.hashValue) % UInt(Self.count))
        if let share = shares[index] { return share }
        guard let share = curl_share_init() else { throw .noMemory }
        guard bb_share_set_data(share, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else {
            curl_share_cleanup(share)
            throw .noMemory
        }
        shares[index] = share
        return share
    }
}
