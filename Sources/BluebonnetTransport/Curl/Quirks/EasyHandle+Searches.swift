import CBluebonnet

// What libcurl would search at the end of each exchange, one by one: of thousands, that takes longer
// than all the rest of the exchange.
extension EasyHandle {
    /// Forgets which connection it used last, by looking for it where there is none.
    ///
    /// For a handle that libcurl has done with and is about to give back, when it would look for that
    /// connection among all of the pool's. Nothing but the question is asked of libcurl while the
    /// other cache is the handle's.
    func forgetConnection(lookingIn cache: EmptyConnectionCache) {
        guard bb_easy_set_pointer(easy, CURLOPT_SHARE, cache.share) == CURLE_OK else { return }
        _ = number(CURLINFO_ACTIVESOCKET)
        _ = bb_easy_set_pointer(easy, CURLOPT_SHARE, share)
    }

    /// Has libcurl end an exchange on a kept connection without a look for old ones among all the
    /// addresses it knows: only who connects adds to them.
    ///
    /// For an exchange that will not connect again, which may not use an address that is too old.
    func leaveOldAddresses() {
        guard LibcurlQuirks.current.searchesOldAddresses, !hasConnected, !leavesOldAddresses else {
            return
        }
        leavesOldAddresses = bb_easy_set_long(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1) == CURLE_OK
    }

    /// Has old addresses looked up again.
    func useFreshAddresses() throws(Exchange.Failure) {
        guard leavesOldAddresses else { return }
        try set(CURLOPT_DNS_CACHE_TIMEOUT, EasyHandleTemplate.addressLifetime)
        leavesOldAddresses = false
    }
}
