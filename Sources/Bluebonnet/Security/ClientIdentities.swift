import BluebonnetTransport

/// The client identities that are offered to hosts.
///
/// If several patterns match a host, the most specific one counts. Ports and schemes are ignored.
/// An invalid pattern matches no host.
public struct ClientIdentities: Sendable, Hashable {
    /// The identity for hosts that match no pattern, or nil, the default, for none.
    ///
    /// After a redirect to another scheme, host or port, it is no longer offered, not even after a
    /// redirect back. Only an identity with a pattern is offered after such a redirect, to hosts
    /// that match the pattern.
    public var anyHost: ClientIdentity?
    private var patterns: [HostPattern: ClientIdentity] = [:]

    /// Creates identities with the given one, by default none, for hosts that match no pattern.
    public init(anyHost: ClientIdentity? = nil) {
        self.anyHost = anyHost
    }

    /// The identity for hosts that match a pattern, or nil for none.
    public subscript(host pattern: HostPattern) -> ClientIdentity? {
        get { patterns[pattern] }
        set { patterns[pattern] = newValue }
    }

    var isEmpty: Bool { anyHost == nil && patterns.isEmpty }

    /// Returns the identity for a host, given whether a redirect has led to another origin.
    func identity(for host: URLHost, hasLeftOrigin: Bool) -> ClientIdentity? {
        let matches = patterns.compactMap { pattern, identity in
            pattern.specificity(for: host).map { (identity, $0) }
        }
        return matches.max { $0.1 < $1.1 }?.0 ?? (hasLeftOrigin ? nil : anyHost)
    }
}
