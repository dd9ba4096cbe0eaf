/// The hosts that a security policy, a client identity or another rule is for: `example.com` that
/// host, `*.example.com` every host below it, at any depth, but not itself.
///
/// Case and a dot at the end do not matter. An address, such as `192.0.2.1` or `2001:db8::1`, is
/// only ever that address, however a URL spells it. Of several patterns that match, the longest
/// counts. Ports play no part. Names that are not ASCII are given in their `xn--` form.
public struct HostPattern: Sendable, Hashable {
    private let form: Form

    private enum Form: Sendable, Hashable {
        case host(URLHost)
        case below(String)
        case invalid(String)
    }

    /// Makes a pattern.
    ///
    /// If the text is not one, policies and address guards refuse every request with an error that says
    /// so, an identity is never offered, and `close_notify` is still required.
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

    /// Whether the text was a pattern.
    public var isValid: Bool {
        if case .invalid = form { false } else { true }
    }

    /// Whether it is for a host.
    package func matches(_ host: URLHost) -> Bool { specificity(for: host) != nil }

    /// How much of a host the pattern fixes; nil when it does not match.
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
    /// The pattern in lower case; one that is none as it was given.
    public var description: String {
        switch form {
        case .host(let host): host.description
        case .below(let suffix): "*" + suffix
        case .invalid(let text): text
        }
    }
}
