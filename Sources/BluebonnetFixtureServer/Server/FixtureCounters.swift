/// The counts of a server since it started.
public struct FixtureCounters: Sendable, Hashable {
    /// The number of complete requests that have arrived.
    public var requests = 0

    /// The number of connections that have been accepted.
    public var acceptedConnections = 0

    /// The number of connections that are currently open.
    public var openConnections = 0
}
