extension SessionManager {
    /// Offered, on demand, to the hosts that tasks ask directly; nil, the default, for none.
    ///
    /// It can be set at any time. Tasks made afterwards use new connections and TLS sessions; those
    /// made before keep the one that they were made with. Redirects to another origin do not take it
    /// along, see ``clientIdentities``.
    public var clientIdentity: ClientIdentity? {
        get { clientIdentities.anyHost }
        set {
            settings.withLock { settings in
                var identities = settings.clientIdentities
                identities.anyHost = newValue
                settings.use(identities)
            }
        }
    }

    /// Which identity is offered, on demand, to which host by the tasks made from now on.
    ///
    /// Each identity in use has connections of its own, which are also counted on their own against
    /// ``SessionConfiguration/maximumConnections``.
    public var clientIdentities: ClientIdentities {
        get { settings.withLock { $0.clientIdentities } }
        set { settings.withLock { $0.use(newValue) } }
    }
}

extension SessionManager.Settings {
    fileprivate mutating func use(_ identities: ClientIdentities) {
        guard identities != clientIdentities else { return }
        clientIdentities = identities
        renewPools()
    }

    /// Begins with new connections, for the tasks that are made from now on.
    mutating func renewPools() {
        pools = session.makePools(securityPolicy, securityPolicies, clientIdentities)
    }
}
