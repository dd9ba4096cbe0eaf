/// The state that the server's thread shares with the threads that use the server.
final class ServerState: Sendable {
    struct Recording: Sendable {
        var isOn = false
        var requests: [FixtureRequest] = []
    }

    let router: Locked<Router>
    let counters = Locked(FixtureCounters())
    let recording = Locked(Recording())
    let commands: CommandQueue

    init(router: Router) throws(FixtureServerError) {
        self.router = Locked(router)
        commands = try CommandQueue()
    }

    /// Returns a handle for the reply that a connection waits for.
    func deferredReply(on connection: Int) -> DeferredReply {
        DeferredReply { [commands] deferred, reply in
            commands.submit(.answer(connection: connection, deferred, reply))
        }
    }

    func reply(to request: FixtureRequest) -> FixtureReply {
        recording.withLock { if $0.isOn { $0.requests.append(request) } }
        counters.withLockNotifying { $0.requests += 1 }
        // The handler is called after the lock is released, because it can register routes.
        let handler = router.withLock { $0.handler(for: request.path) }
        return handler?(request) ?? BuiltInRoutes.reply(to: request)
    }
}
