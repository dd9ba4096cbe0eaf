import CBluebonnet

// The linear searches of libcurl at the end of each exchange. Among thousands of entries, a search
// takes longer than the rest of the exchange.
extension EasyHandle {
    /// Makes libcurl forget the handle's last connection, by searching for it in an empty cache.
    ///
    /// Call this when libcurl has finished with a handle that is about to be removed. Otherwise it
    /// would search all of the pool's connections for that one. While the handle uses the other
    /// cache, libcurl is only asked for the connection's socket.
    func forgetConnection(lookingIn cache: EmptyConnectionCache) {
        guard bb_easy_set_pointer(easy, CURLOPT_SHARE, cache.share) == CURLE_OK else { return }
        _ = number(CURLINFO_ACTIVESOCKET)
        _ = bb_easy_set_pointer(easy, CURLOPT_SHARE, share)
    }

    /// Lets libcurl end an exchange on a reused connection without searching all cached addresses
    /// for old ones.
    ///
    /// Only exchanges that connect add addresses. Call this for an exchange that will not connect
    /// again, because it must not use an address that is too old.
    func leaveOldAddresses() {
        guard LibcurlQuirks.current.searchesOldAddresses, !hasConnected, !leavesOldAddresses else {
            return
        }
        leavesOldAddresses = bb_easy_set_long(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1) == CURLE_OK
    }

    /// Makes libcurl look up old addresses again.
    func useFreshAddresses() throws(Exchange.Failure) {
        guard leavesOldAddresses else { return }
        try set(CURLOPT_DNS_CACHE_TIMEOUT, EasyHandleTemplate.addressLifetime)
        leavesOldAddresses = false
    }
}
