/// Which client identity is offered to which host.
///
/// A pattern is a host's name or address, or `*.` and a name for every host below it, at any depth
/// (`*.example.com` is not `example.com`). Ports and schemes play no part in it, nor does case. Of
/// several patterns the most specific one counts. Anything else is the pattern of no host.
public struct ClientIdentities: Sendable, Hashable {
    /// For hosts that no pattern is for; nil, the default, for none.
    ///
    /// It does not follow a redirect to another scheme, host or port, nor back from one: only an
    /// identity with a pattern does, to the hosts that the pattern is for.
    public var anyHost: ClientIdentity?
    private var patterns: [String: ClientIdentity] = [:]

    /// Makes a choice that offers an identity to every host that is asked directly; default none.
    public init(anyHost: ClientIdentity? = nil) {
        self.anyHost = anyHost
    }

    /// The identity for the hosts of a pattern; nil for none.
    public subscript(host pattern: String) -> ClientIdentity? {
        get { patterns[Self.normalized(pattern)] }
        set { patterns[Self.normalized(pattern)] = newValue }
    }

    var isEmpty: Bool { anyHost == nil && patterns.isEmpty }

    /// The identity for a host; `hasLeftOrigin` when a redirect led to another origin, or back.
    func identity(for host: String, hasLeftOrigin: Bool) -> ClientIdentity? {
        identity(byPatternOf: Self.normalized(host)) ?? (hasLeftOrigin ? nil : anyHost)
    }

    private func identity(byPatternOf host: String) -> ClientIdentity? {
        if let exact = patterns[host] { return exact }
        // The parts of an address are not names within each other.
        guard host.split(separator: ".").last?.first?.isNumber == false else { return nil }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let wide = patterns["*.\(rest)"] { return wide }
        }
        return nil
    }

    private static func normalized(_ host: String) -> String {
        var host = host.lowercased()[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return String(host.hasSuffix(".") ? host.dropLast() : host)
    }
}
