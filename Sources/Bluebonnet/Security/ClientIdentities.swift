import BluebonnetTransport

/// Which client identity is offered to which host.
///
/// Of several patterns the most specific one counts. Ports and schemes play no part. One that is no
/// pattern is that of no host.
public struct ClientIdentities: Sendable, Hashable {
    /// For hosts that no pattern is for; nil, the default, for none.
    ///
    /// It does not follow a redirect to another scheme, host or port, nor back from one: only an
    /// identity with a pattern does, to the hosts that the pattern is for.
    public var anyHost: ClientIdentity?
    private var patterns: [HostPattern: ClientIdentity] = [:]

    /// Makes a choice that offers an identity to every host that is asked directly; default none.
    public init(anyHost: ClientIdentity? = nil) {
        self.anyHost = anyHost
    }

    /// The identity for the hosts of a pattern; nil for none.
    public subscript(host pattern: HostPattern) -> ClientIdentity? {
        get { patterns[pattern] }
        set { patterns[pattern] = newValue }
    }

    var isEmpty: Bool { anyHost == nil && patterns.isEmpty }

    /// The identity for a host; `hasLeftOrigin` when a redirect led to another origin, or back.
    func identity(for host: URLHost, hasLeftOrigin: Bool) -> ClientIdentity? {
        let matches = patterns.compactMap { pattern, identity in
            pattern.specificity(for: host).map { (identity, $0) }
        }
        return matches.max { $0.1 < $1.1 }?.0 ?? (hasLeftOrigin ? nil : anyHost)
    }
}
