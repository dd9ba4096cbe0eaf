import BluebonnetTransport
import Foundation

/// What tasks need of their manager without holding it: the map of delegates, queues, transport.
final class SessionCore: Sendable {
    let configuration: SessionConfiguration
    let exchangeBuilder: ExchangeBuilder
    let limits: ResponseLimits
    let transport: any Transport
    let clock: any SessionClock
    let work: SessionWork
    /// The time that a task has in all; nil for no limit.
    let timeLimit: Duration?
    let map = Locked(TaskMap())
    let undelivered = UndeliveredTasks()
    /// Nil when the configuration turns cookies off.
    let cookies: CookieStorage?
    let authentication: AuthenticationCache
    let audience: TaskEventAudience
    let owner: SessionOwner
    let callbacks: BatchQueue<Callback>

    init(
        configuration: SessionConfiguration,
        transport: any Transport,
        cookies: CookieStorage?,
        audience: TaskEventAudience,
        owner: SessionOwner,
        callbacks: BatchQueue<Callback>
    ) {
        self.configuration = configuration
        exchangeBuilder = ExchangeBuilder(configuration: configuration)
        limits = ResponseLimits(exchangeBuilder.limits, configuration)
        clock = configuration.clock
        work = SessionWork(clock)
        self.transport = transport.countingWork(on: clock)
        timeLimit = configuration.timeouts.whole.flatMap(Self.timeLimit)
        self.cookies = cookies
        authentication = AuthenticationCache()
        self.audience = audience
        self.owner = owner
        self.callbacks = callbacks
    }

    /// A time limit; nil for infinity.
    static func timeLimit(_ seconds: TimeInterval) -> Duration? {
        seconds.isFinite ? Duration(delayInSeconds: seconds) : nil
    }

    /// Something for a task, on its way to the callback queue.
    struct Callback: Sendable {
        enum Event: Sendable {
            case report(Exchange.Report, ofExchange: Int)
            case happening(TaskRun.Event)
            /// The answer of a hook, or the result of work on the disk.
            case answer(@Sendable (TaskDelegate) -> Void)
        }

        var session: SessionCore
        var taskIdentifier: Int
        var event: Event

        /// The serial queue on which everything is forwarded, and on which hooks that observe run.
        static func makeQueue() -> BatchQueue<Callback> {
            BatchQueue(
                label: "bluebonnet.callbacks",
                handle: { $0.forward() }
            )
        }

        /// Hands the event to the delegate of its task.
        private func forward() {
            defer { session.work.end() }
            guard let delegate = session.map.withLock({ $0[taskIdentifier] }) else { return }
            switch event {
            case .report(let report, let number):
                ResponseStage(delegate).receive(report, ofExchange: number)
            case .happening(let event): delegate.handle(event)
            case .answer(let tell): tell(delegate)
            }
        }
    }

    func send(_ event: consuming Callback.Event, to taskIdentifier: Int) {
        work.begin()
        callbacks.send(Callback(session: self, taskIdentifier: taskIdentifier, event: event))
    }

    /// A session like this one, without its tasks and credentials.
    func makeSuccessor() -> SessionCore {
        SessionCore(
            configuration: configuration,
            transport: transport,
            cookies: cookies,
            audience: audience,
            owner: owner,
            callbacks: callbacks
        )
    }

    /// The connections under a policy.
    func makePools(_ policy: SecurityPolicy, _ identities: ClientIdentities) -> ConnectionPools {
        // Whether or not there is a hook, which may come later.
        let decisions = policy.trustOccasion.map(TrustDecisions.init)
        return ConnectionPools(identities) { [configuration] identity, route in
            Exchange.Pool(
                maximumConnectionsPerHost: configuration.maximumConnectionsPerHost,
                maximumConnections: configuration.maximumConnections,
                maximumStreamsPerConnection: configuration.maximumStreamsPerConnection,
                idleConnectionTimeout: configuration.idleConnectionTimeout,
                maximumConnectionLifetime: configuration.maximumConnectionLifetime,
                certificateAuthorityFile: policy.certificateAuthorities?.path,
                trust: policy.trust,
                route: route ?? configuration.route,
                httpVersion: configuration.httpVersion,
                addressGuard: configuration.addressGuard,
                hostsWithoutCloseNotify: configuration.hostsWithoutCloseNotify,
                identity: identity?.tls,
                revocationListFile: policy.certificateRevocationLists?.path,
                decisions: decisions
            )
        }
    }
}
