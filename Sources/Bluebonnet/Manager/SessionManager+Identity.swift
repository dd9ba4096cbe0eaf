extension SessionManager {
    /// The identity for servers that request a client certificate; nil, the default, for none.
    ///
    /// It is used for hosts that a task contacts directly, and not after a redirect to another
    /// origin; see ``clientIdentities``. It can be set at any time. Tasks created afterwards use
    /// new connections and TLS sessions. Existing tasks keep the identity with which they were
    /// created.
    public var clientIdentity: ClientIdentity? {
        get { clientIdentities.anyHost }
        set { clientIdentities.anyHost = newValue }
    }

    /// The identities that new tasks use for servers that request a client certificate, by host.
    ///
    /// The property can be changed in place from any thread. Changes are serialized, and readers
    /// get the previous value until a change is complete. Each identity in use has its own
    /// connections, with a separate limit of ``SessionConfiguration/maximumConnections``.
    public var clientIdentities: ClientIdentities {
        get { settings.withLock { $0.clientIdentities } }
        _modify { yield &self[\.clientIdentities, turns.identities, then: { $0.renewPools() }] }
    }
}

extension SessionManager.Settings {
    /// Creates new connection pools for the tasks that are created from now on.
    mutating func renewPools() {
        pools = session.makePools(securityPolicy, securityPolicies, clientIdentities)
    }
}
