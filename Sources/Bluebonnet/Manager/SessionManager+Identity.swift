extension SessionManager {
    /// Offered, on demand, to the hosts that tasks ask directly; nil, the default, for none.
    ///
    /// It can be set at any time. Tasks made afterwards use new connections and TLS sessions; those
    /// made before keep the one that they were made with. Redirects to another origin do not take it
    /// along, see ``clientIdentities``.
    public var clientIdentity: ClientIdentity? {
        get { clientIdentities.anyHost }
        set { clientIdentities.anyHost = newValue }
    }

    /// Which identity is offered, on demand, to which host by the tasks made from now on.
    ///
    /// It may be changed in place, from any threads: one change waits for another, and who reads it
    /// meanwhile reads what it was. Each identity in use has connections of its own, which are also
    /// counted on their own against ``SessionConfiguration/maximumConnections``.
    public var clientIdentities: ClientIdentities {
        get { settings.withLock { $0.clientIdentities } }
        _modify { yield &self[\.clientIdentities, turns.identities, then: { $0.renewPools() }] }
    }
}

extension SessionManager.Settings {
    /// Begins with new connections, for the tasks that are made from now on.
    mutating func renewPools() {
        pools = session.makePools(securityPolicy, securityPolicies, clientIdentities)
    }
}
