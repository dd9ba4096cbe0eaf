import CBluebonnet

// What libcurl would search at the end of each exchange, one by one: of thousands, that takes longer
// than all the rest of the exchange.
extension EasyHandle {
    /// Forgets which connection it used last, by looking for it where there is none.
    ///
    /// For a handle that libcurl has done with and not given back, which begins with a search for
    /// that connection among all of the pool's.
    func forgetConnection(lookingIn cache: EmptyConnectionCache) {
        guard bb_easy_set_pointer(easy, CURLOPT_SHARE, cache.share) == CURLE_OK else { return }
        _ = number(CURLINFO_ACTIVESOCKET)
        _ = bb_easy_set_pointer(easy, CURLOPT_SHARE, share)
    }

    /// Has libcurl end an exchange on a kept connection without a look for old ones among all the
    /// addresses it knows: only who connects adds to them.
    ///
    /// For an exchange that will not connect again, for which no address would be too old then.
    func leaveOldAddresses() throws(Exchange.Failure) {
        guard !hasConnected, !leavesOldAddresses else { return }
        try set(CURLOPT_DNS_CACHE_TIMEOUT, -1)
        leavesOldAddresses = true
    }

    /// Has old addresses looked up again.
    func useFreshAddresses() throws(Exchange.Failure) {
        hasConnected = false
        guard leavesOldAddresses else { return }
        try set(CURLOPT_DNS_CACHE_TIMEOUT, Self.usualAddressLifetime)
        leavesOldAddresses = false
    }

    /// libcurl's own, in seconds.
    private static let usualAddressLifetime = 60
}
