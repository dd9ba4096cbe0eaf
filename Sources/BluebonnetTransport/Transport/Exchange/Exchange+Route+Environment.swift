public import Foundation
import FoundationNetworking

extension Exchange.Route {
    /// Returns the route that the environment variables of the process describe.
    ///
    /// Only this method reads the environment. It uses `http_proxy`, `https_proxy`, `all_proxy` and
    /// `no_proxy`, and the last three in upper case too. It ignores `HTTP_PROXY`, which a CGI
    /// server sets to the value of the client's `Proxy` field (CVE-2016-5385).
    ///
    /// - Parameter environment: The variables. The default is those of the process.
    /// - Returns: The route, which is direct if no variable is set.
    /// - Throws: A failure that names the variable if a value is invalid.
    public static func fromEnvironment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Exchange.Failure) -> Self {
        func proxy(_ names: String...) throws(Exchange.Failure) -> Proxy? {
            for name in names {
                guard let text = environment[name], !text.isEmpty else { continue }
                guard let proxy = Proxy(text) else {
                    throw .unusableRoute("\(name) in the environment is not the URL of a proxy")
                }
                return proxy
            }
            return nil
        }
        var route = Self()
        route.httpProxy = try proxy("http_proxy", "all_proxy", "ALL_PROXY")
        route.httpsProxy = try proxy("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        let name = environment["no_proxy"] == nil ? "NO_PROXY" : "no_proxy"
        route.noProxy = (environment[name] ?? "").split { $0 == "," || $0.isWhitespace }
            .map(String.init)
        for entry in route.noProxy where ProxyException(entry) == nil {
            throw .unusableRoute(
                "\(name) in the environment has an entry that is not a host or network: \(entry)")
        }
        return route
    }
}

extension Exchange.Route.Proxy {
    /// Creates a proxy from a URL such as `http://name:password@host:3128`.
    ///
    /// The default scheme is `http`. The default port is 80, 443 or 1080, depending on the scheme.
    /// `socks5` means `socks5h`. Returns nil if the URL is invalid.
    ///
    /// - Parameter url: The URL. Its path and query are ignored.
    public init?(_ url: String) {
        var rest = url[...]
        var scheme = Scheme.http
        if let mark = rest.range(of: "://") {
            let name = rest[..<mark.lowerBound].lowercased()
            guard let known = Scheme(rawValue: name == "socks5" ? "socks5h" : name)
            else { return nil }
            scheme = known
            rest = rest[mark.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var user: (name: String, password: String?)?
        if let mark = rest.lastIndex(of: "@") {
            guard let known = Self.user(rest[..<mark]) else { return nil }
            user = known
            rest = rest[rest.index(after: mark)...]
        }
        guard let place = Self.place(rest, standardPort: scheme.standardPort) else { return nil }
        self.init(
            scheme, host: place.host, port: place.port, username: user?.name,
            password: user?.password)
    }

    private static func user(_ text: Substring) -> (name: String, password: String?)? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first?.removingPercentEncoding else { return nil }
        guard parts.count == 2 else { return (name, nil) }
        return parts[1].removingPercentEncoding.map { (name, $0) }
    }

    private static func place(
        _ text: Substring,
        standardPort: Int
    ) -> (host: String, port: Int)? {
        var host = text
        var digits: Substring?
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            digits = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            digits = text[text.index(after: colon)...]
        }
        guard !host.isEmpty else { return nil }
        guard let digits, !digits.isEmpty else { return (String(host), standardPort) }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits)
        else { return nil }
        return (String(host), port)
    }
}

extension Exchange.Route.Proxy.Scheme {
    fileprivate var standardPort: Int {
        switch self {
        case .http: 80
        case .https: 443
        case .socks5h: 1080
        }
    }
}
