import BluebonnetTransport
import Foundation
import Synchronization

/// The parts of a manager that its tasks use without keeping the manager alive.
final class SessionCore: Sendable {
    let configuration: SessionConfiguration
    let exchangeBuilder: ExchangeBuilder
    let limits: ResponseLimits
    let transport: any Transport
    let clock: any SessionClock
    let work: SessionWork
    /// The time limit for a whole task; nil for no limit.
    let timeLimit: Duration?
    let map = Locked(TaskMap())
    private let invalidated = Atomic(false)
    let undelivered = UndeliveredTasks()
    /// Nil if the configuration turns cookies off.
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

    /// Returns a time limit, or nil if the number of seconds is not finite.
    static func timeLimit(_ seconds: TimeInterval) -> Duration? {
        seconds.isFinite ? Duration(delayInSeconds: seconds) : nil
    }

    /// Whether the session refuses further tasks.
    var isInvalidated: Bool { invalidated.load(ordering: .acquiring) }

    /// Refuses further tasks, and returns the delegates of those that are left.
    func invalidate() -> [TaskDelegate] {
        invalidated.store(true, ordering: .releasing)
        return map.withLock { $0.all }
    }

    /// An event for a task, on its way to the callback queue.
    struct Callback: Sendable {
        enum Event: Sendable {
            case report(Exchange.Report, ofExchange: Int)
            case happening(TaskRun.Event)
            /// The answer of a hook, or the result of file I/O.
            case answer(@Sendable (TaskDelegate) -> Void)
        }

        var session: SessionCore
        var taskIdentifier: Int
        var event: Event

        /// Creates the callback queue, on which events are forwarded and observing hooks run.
        static func makeQueue() -> BatchQueue<Callback> {
            BatchQueue(
                label: "bluebonnet.callbacks",
                handle: { $0.forward() }
            )
        }

        /// Passes the event to its task's delegate.
        private func forward() {
            defer { session.work.end() }
            guard let delegate = session.map.withLock({ $0[taskIdentifier] }) else { return }
            switch event {
            case .report(let report, let number):
                delegate.take(report, ofExchange: number)
            case .happening(let event): delegate.take(event)
            case .answer(let tell): tell(delegate)
            }
        }
    }

    func send(_ event: consuming Callback.Event, to taskIdentifier: Int) {
        work.begin()
        callbacks.send(Callback(session: self, taskIdentifier: taskIdentifier, event: event))
    }

    /// Creates a session with the same settings, but without this one's tasks and credentials.
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

    /// The session of all tasks that a forked process creates, which fail.
    ///
    /// It is created in that process, so no missing thread can hold its locks. Nothing observes it.
    static let afterFork: SessionCore = {
        let configuration = SessionConfiguration()
        let work = SessionWork(configuration.clock)
        return SessionCore(
            configuration: configuration,
            transport: CurlTransport(version: .failure(.forked)),
            cookies: nil,
            audience: TaskEventAudience(
                notifications: NotificationPoster(
                    postsAlways: false, names: NotificationNames(), work: work),
                work: work),
            owner: SessionOwner(),
            callbacks: Callback.makeQueue()
        )
    }()

    /// Creates the connection pools for a security policy.
    func makePools(_ policy: SecurityPolicy, _ identities: ClientIdentities) -> ConnectionPools {
        // Created even without a hook, which can be set later.
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
