/// A pattern for the hosts to which a security policy, a client identity or another rule applies.
///
/// `example.com` matches that host. `*.example.com` matches every host below it, at any depth, but
/// not `example.com` itself.
///
/// Case and a dot at the end do not matter. An address, such as `192.0.2.1` or `2001:db8::1`,
/// matches only that address, in any spelling of a URL. If several patterns match, the longest one
/// applies. Ports are ignored. Write names that are not ASCII in their `xn--` form.
public struct HostPattern: Sendable, Hashable {
    private let form: Form

    private enum Form: Sendable, Hashable {
        case host(URLHost)
        case below(String)
        case invalid(String)
    }

    /// Creates a pattern.
    ///
    /// If the text is not a valid pattern, policies and address guards refuse every request with an
    /// error about the pattern. An identity is then never offered, and `close_notify` is still
    /// required.
    public init(_ text: String) {
        let name = text.lowercased()
        let isWildcard = name.hasPrefix("*.")
        let host = isWildcard ? String(name.dropFirst(2)) : name
        switch URLHost(name: host) {
        case .name(let name) where isWildcard: form = .below("." + name)
        case .address where isWildcard: form = .invalid(text)
        case let host?: form = .host(host)
        case nil: form = .invalid(text)
        }
    }

    /// Whether the text is a valid pattern.
    public var isValid: Bool {
        if case .invalid = form { false } else { true }
    }

    /// Returns whether the pattern matches a host.
    package func matches(_ host: URLHost) -> Bool { specificity(for: host) != nil }

    /// Returns how specifically the pattern matches a host, or nil if it does not match.
    ///
    /// The longest pattern has the largest number.
    package func specificity(for host: URLHost) -> Int? {
        switch (form, host) {
        case (.host(let own), _): own == host ? Int.max : nil
        case (.below(let suffix), .name(let name)):
            name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count ? suffix.utf8.count : nil
        default: nil
        }
    }
}

extension HostPattern: ExpressibleByStringLiteral {
    /// The same as ``init(_:)``.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension HostPattern: CustomStringConvertible {
    /// The pattern in lowercase, or the original text if it is invalid.
    public var description: String {
        switch form {
        case .host(let host): host.description
        case .below(let suffix): "*" + suffix
        case .invalid(let text): text
        }
    }
}
