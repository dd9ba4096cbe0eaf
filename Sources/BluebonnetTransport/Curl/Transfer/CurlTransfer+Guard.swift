import CBluebonnet

// Where the pool's address guard is asked: for the URL before the loop has the exchange, for each
// address before there is a socket for it, and for the connection before the request is sent.
extension CurlTransfer {
    /// Throws if the guard denies the URL or the way to it; called before anything is started.
    func checkURL() throws(Exchange.Failure) {
        try exchange.pool.addressGuard?.check(exchange.url, on: exchange.pool.route)
    }

    /// Whether a socket may be made for an address; one that may not is noted.
    ///
    /// libcurl goes on with a name's next address, for which it asks again.
    func mayConnect(to target: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        guard let addressGuard = exchange.pool.addressGuard else { return true }
        let size = min(Int(target.pointee.addrlen), MemoryLayout<sockaddr_storage>.size)
        let address = IPAddress(bb_socket_address(target), size: size)
        let isUnix = target.pointee.family == AF_UNIX
        let rule = isUnix ? addressGuard.unixRule : rule(of: addressGuard, against: address)
        guard let rule else {
            hadOtherAddress = true
            return true
        }
        // Nothing is being looked up any more, though there may be no socket.
        addressIsKnown()
        denial = denial ?? makeDenial(rule, address)
        if LibcurlQuirks.current.delaysNextAddress { handle?.connectionPool.wakeSoon(self) }
        return false
    }

    /// Has libcurl look at the exchange in its next turn, whatever it waits for.
    fileprivate func wake() {
        guard stage == .active, let handle else { return }
        handle.connectionPool.hurry()
        // It is not woken by a pause that changes nothing.
        curl_easy_pause(handle.easy, CURLPAUSE_ALL)
        curl_easy_pause(handle.easy, pausedDirections)
    }

    /// Whether the request may be sent on a connection, which may have been made for another.
    func mayUse(connectionTo address: UnsafePointer<CChar>?) -> Bool {
        guard let addressGuard = exchange.pool.addressGuard,
            exchange.pool.route.unixSocketPath == nil
        else { return true }
        let address = address.flatMap { IPAddress(cString: $0) }
        guard let rule = rule(of: addressGuard, against: address) else { return true }
        failure = makeDenial(rule, address).failure
        return false
    }

    /// What denies an address, which is a proxy's where there is one.
    private func rule(
        of addressGuard: AddressGuard, against address: IPAddress?
    ) -> AddressGuard.Rule? {
        guard handle?.proxy == nil else { return addressGuard.allowsProxies ? nil : .proxy }
        guard let address else { return .unknownAddress }
        return addressGuard.rule(against: address)
    }

    private func makeDenial(
        _ rule: AddressGuard.Rule, _ address: IPAddress?
    ) -> AddressGuard.Denial {
        let authority = URLAuthority(of: exchange.url)
        return AddressGuard.Denial(
            rule: rule, host: authority?.hostText ?? "", port: authority?.port ?? 0,
            address: address?.description)
    }
}

extension ConnectionPool {
    /// Wakes an exchange at the end of the turn.
    ///
    /// It is called while libcurl calls back, when nothing may be asked of it.
    fileprivate func wakeSoon(_ transfer: CurlTransfer) {
        denied.append(transfer)
        loop.markDirty(self)
    }

    func wakeDenied() {
        guard !denied.isEmpty else { return }
        let transfers = denied
        denied.removeAll()
        for transfer in transfers { transfer.wake() }
    }
}

extension AddressGuard {
    fileprivate var unixRule: Rule? { allowsUnixSockets ? nil : .unixSocket }
}
