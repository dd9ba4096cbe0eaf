/// What a server has counted since it started.
public struct FixtureCounters: Sendable, Hashable {
    /// How many complete requests have arrived.
    public var requests = 0

    /// How many connections have been accepted.
    public var acceptedConnections = 0

    /// How many connections are open now.
    public var openConnections = 0
}
