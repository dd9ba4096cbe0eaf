import CBluebonnet

/// A pool's route in the form of libcurl options.
///
/// It owns the lists that libcurl reads, so it must outlive every handle that uses them. Used only
/// on the loop thread.
final class RouteSettings {
    let route: Exchange.Route
    /// The authorities for the last TLS connection to a proxy.
    var proxyAuthorities: Authorities?
    private var proxyFields = SchemePair<HeaderLines?>(plain: nil, secure: nil)
    private var overrides: UnsafeMutablePointer<curl_slist>?
    /// Whether libcurl drops some of the overrides after a while, as it does with looked-up
    /// addresses.
    private var forgetsOverrides = false
    /// The overrides of hosts that are addresses, which libcurl does not accept, by host and port.
    private var addressOverrides: [AddressAndPort: [IPAddress]] = [:]

    private struct AddressAndPort: Hashable {
        var address: IPAddress
        var port: Int
    }

    init(_ route: Exchange.Route) throws(Exchange.Failure) {
        try route.check()
        self.route = route
        for isSecure in [false, true] {
            proxyFields[isSecure] = try HeaderLines(proxy(isSecure)?.fields ?? [])
        }
        for override in route.addressOverrides {
            if let host = IPAddress(override.host) {
                let key = AddressAndPort(address: host, port: override.port)
                addressOverrides[key] = override.addresses.compactMap { IPAddress($0) }
                continue
            }
            let addresses = override.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
            let line = "\(override.host):\(override.port):\(addresses.joined(separator: ","))"
            // A leading hyphen would remove an address. After a plus it is the host's, but the
            // entry expires.
            let isHyphen = line.hasPrefix("-")
            try Self.append(isHyphen ? "+\(line)" : line, to: &overrides)
            forgetsOverrides = forgetsOverrides || isHyphen
        }
    }

    deinit {
        curl_slist_free_all(overrides)
    }

    private static func append(
        _ line: String,
        to list: inout UnsafeMutablePointer<curl_slist>?
    ) throws(Exchange.Failure) {
        guard let longer = curl_slist_append(list, line) else { throw .noMemory }
        list = longer
    }

    func proxy(_ isSecure: Bool) -> Exchange.Route.Proxy? {
        isSecure ? route.httpsProxy : route.httpProxy
    }

    /// Sets the options that copies of a handle inherit.
    func apply(to easy: UnsafeMutableRawPointer, isSecure: Bool) throws(Exchange.Failure) {
        let setter = OptionSetter(easy: easy)
        try setter.set(CURLOPT_PROXY_CAPATH, nil)
        // Both always have a value, or libcurl would look into the environment.
        try setter.set(CURLOPT_NOPROXY, "")
        if let proxy = proxy(isSecure) {
            try apply(proxy, with: setter, isSecure: isSecure)
        } else {
            try setter.set(CURLOPT_PROXY, "")
            // Every copy would duplicate libcurl's default, and there is no certificate to check.
            try setter.set(CURLOPT_PROXY_CAINFO, nil)
        }
        if let path = route.unixSocketPath { try setter.set(CURLOPT_UNIX_SOCKET_PATH, path) }
    }

    private func apply(
        _ proxy: Exchange.Route.Proxy,
        with setter: OptionSetter,
        isSecure: Bool
    ) throws(Exchange.Failure) {
        try setter.set(CURLOPT_PROXY, proxy.description)
        try setter.set(CURLOPT_PROXYAUTH, Self.basic)
        try setter.set(CURLOPT_SOCKS5_AUTH, Self.basic)
        try login(to: proxy, with: setter)
        try setter.set(CURLOPT_HTTPPROXYTUNNEL, proxy.tunnelsPlainHTTP ? 1 : 0)
        try setter.set(CURLOPT_HEADEROPT, bb_header_options_separate)
        try setter.set(CURLOPT_PROXYHEADER, list: proxyFields[isSecure]?.list)
        try setter.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        try setter.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        try setter.set(CURLOPT_PROXY_SSLVERSION, bb_tls_version_1_2)
        // This has no effect on TLS 1.2 and later, but tells a proxy's context from a server's.
        try setter.set(CURLOPT_PROXY_SSL_OPTIONS, bb_tls_options_allow_beast)
        if proxy.scheme == .https, bb_tls_is_openssl() != 0 {
            // `prepareTLS` sets the authorities, because libcurl does not report why a file could
            // not be read.
            try setter.set(CURLOPT_PROXY_CAINFO, nil)
            try setter.set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        } else if let file = proxy.certificateAuthorityFile {
            try setter.set(CURLOPT_PROXY_CAINFO, file)
        } else if proxy.scheme != .https {
            try setter.set(CURLOPT_PROXY_CAINFO, nil)
        }
    }

    private static let basic = 1

    private func login(
        to proxy: Exchange.Route.Proxy,
        with setter: OptionSetter
    ) throws(Exchange.Failure) {
        let percent = LibcurlQuirks.current.decodesProxyLogin ? "%25" : "%"
        let name = proxy.username?.replacing("%", with: percent)
        let password = (proxy.password ?? "").replacing("%", with: percent)
        try setter.set(CURLOPT_PROXYUSERNAME, name)
        try setter.set(CURLOPT_PROXYPASSWORD, name == nil ? nil : password)
    }

    /// Sets on a copied handle how an exchange uses the proxy: not at all, or with its own login.
    ///
    /// Returns the lines that the copy reads from now on, or nil if they are the route's.
    func apply(
        _ passage: Passage,
        to easy: UnsafeMutableRawPointer,
        isSecure: Bool
    ) throws(Exchange.Failure) -> HeaderLines? {
        guard let proxy = proxy(isSecure) else { return nil }
        let setter = OptionSetter(easy: easy)
        try setter.set(CURLOPT_NOPROXY, passage.isDirect ? "*" : "")
        let tunnelLines = try passage.tunnelAuthorization.map { value throws(Exchange.Failure) in
            try HeaderLines(proxy.fields(withAuthorization: value))
        }
        if proxy.username == nil {
            // There is no login to replace.
        } else if passage.hasOwnLogin || tunnelLines != nil {
            try setter.set(CURLOPT_PROXYUSERNAME, nil)
            try setter.set(CURLOPT_PROXYPASSWORD, nil)
        } else {
            try login(to: proxy, with: setter)
        }
        // Last, because libcurl reads this list, which must not be released if another option
        // fails.
        try setter.set(CURLOPT_PROXYHEADER, list: (tunnelLines ?? proxyFields[isSecure])?.list)
        return tunnelLines
    }

    func passage(of exchange: Exchange, isSecure: Bool) -> Passage {
        guard let proxy = proxy(isSecure) else { return Passage() }
        return Passage(
            isDirect: route.isException(exchange.url),
            hasOwnLogin: proxy.username != nil
                && route.forwardingProxy(for: exchange.url) != nil
                && exchange.fields.contains(where: \.isProxyAuthorization),
            tunnelAuthorization: exchange.tunnelAuthorization
                .flatMap { route.tunnelingProxy(for: exchange.url) == nil ? nil : $0 }
        )
    }

    /// How an exchange goes through its pool's proxy.
    struct Passage: Equatable {
        /// Whether the exchange bypasses the proxy because its host is an exception.
        var isDirect = false
        /// Whether the exchange has its own login for a forwarding proxy, in place of the route's.
        var hasOwnLogin = false
        /// The exchange's own login for a proxy that opens a tunnel, in place of the route's.
        var tunnelAuthorization: String?
    }

    /// Returns the addresses and ports to connect to for a URL whose host is an address, or nil for
    /// its own.
    func overrides(ofAddressIn url: String) -> [(IPAddress, port: UInt16)]? {
        guard !addressOverrides.isEmpty, let authority = URLAuthority(of: url),
            let host = IPAddress(authority.hostText)
        else { return nil }
        let key = AddressAndPort(address: host, port: authority.port)
        return addressOverrides[key]?.map { ($0, UInt16(truncatingIfNeeded: authority.port)) }
    }

    /// Sets the overrides again for an exchange, if libcurl may have dropped some.
    func renew(_ easy: UnsafeMutableRawPointer) throws(Exchange.Failure) {
        if forgetsOverrides { try complete(easy) }
    }

    /// Sets the options that libcurl leaves out when it copies a handle.
    func complete(_ easy: UnsafeMutableRawPointer) throws(Exchange.Failure) {
        guard let overrides else { return }
        try OptionSetter(easy: easy).set(CURLOPT_RESOLVE, list: overrides)
    }
}

extension Exchange.Route.Proxy {
    /// Whether the route itself has a login for the proxy.
    var hasLogin: Bool { username != nil || fields.contains(where: \.isProxyAuthorization) }

    /// Returns the fields for the proxy alone, with this login in place of any other.
    fileprivate func fields(withAuthorization value: String) -> [Exchange.Field] {
        fields.filter { !$0.isProxyAuthorization }
            + [Exchange.Field(name: "Proxy-Authorization", value: value)]
    }
}

/// A setter of a handle's options that throws if libcurl refuses one.
private struct OptionSetter {
    let easy: UnsafeMutableRawPointer

    func set(_ option: CURLoption, _ value: Int) throws(Exchange.Failure) {
        try check(bb_easy_set_long(easy, option, value))
    }

    func set(_ option: CURLoption, _ value: String?) throws(Exchange.Failure) {
        try check(bb_easy_set_string(easy, option, value))
    }

    func set(
        _ option: CURLoption,
        list: UnsafeMutablePointer<curl_slist>?
    ) throws(Exchange.Failure) {
        try check(bb_easy_set_pointer(easy, option, list))
    }

    private func check(_ result: CURLcode) throws(Exchange.Failure) {
        guard result == CURLE_OK else { throw .refusedOption(result) }
    }
}
