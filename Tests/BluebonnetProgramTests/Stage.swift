import BluebonnetTargets
import BluebonnetTesting

/// The environment of the programs: a stub in place of the network, and their printed lines.
final class Stage: Sendable {
    static let shared = Stage()

    let stub = StubTransport()
    private let printed = Locked<[String]>([])
    private let route = Locked<StubRoute?>(nil)

    func add(_ line: String) { printed.withLock { $0.append(line) } }

    /// Starts a program whose requests get these responses in order, whatever they are.
    func begin(_ responses: StubResponse...) -> Int { begin(responses) }

    func begin(_ responses: [StubResponse]) -> Int {
        printed.withLock { $0 = [] }
        let first = stub.requests.count
        let next = stub.on("/**") { request in
            let index = request.number - first - 1
            guard responses.indices.contains(index) else {
                throw Exchange.Failure(.cannotConnectToHost, message: "there is no response left")
            }
            return responses[index]
        }
        if let former = route.withLock({ route in
            defer { route = next }
            return route
        }) {
            stub.remove(former)
        }
        return first
    }

    /// Waits, without sleeping, until this many lines are printed, and returns the lines.
    func lines(_ count: Int) async -> [String] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while clock.now < end, printed.withLock({ $0.count }) < count { await Task.yield() }
        return printed.withLock { $0 }
    }

    /// The requests since the start of the program.
    func requests(from first: Int) -> [StubRequest] { Array(stub.requests.dropFirst(first)) }
}

// These names shadow those of the library and the standard library.

let AF = HTTPSessionManager(transport: Stage.shared.stub)

// Overload resolution prefers an initializer without default arguments to the library's.
extension HTTPSessionManager {
    convenience init(interceptor: any RequestInterceptor) {
        self.init(transport: Stage.shared.stub)
        interceptors = [interceptor]
    }

    convenience init(startRequestsImmediately: Bool) {
        self.init(transport: Stage.shared.stub)
        self.startRequestsImmediately = startRequestsImmediately
    }

    convenience init(redirectHandler: any RedirectHandler) {
        self.init(transport: Stage.shared.stub)
        setRedirectHandler(redirectHandler)
    }

    convenience init(eventMonitors: [any EventMonitor]) {
        self.init(transport: Stage.shared.stub)
        for monitor in eventMonitors { addMonitor(monitor) }
    }
}

extension TargetProvider {
    convenience init() {
        self.init(session: HTTPSessionManager(transport: Stage.shared.stub))
    }

    convenience init(plugins: [any PluginType]) {
        self.init(session: HTTPSessionManager(transport: Stage.shared.stub), plugins: plugins)
    }

    convenience init(
        endpointClosure: @escaping EndpointClosure, stubClosure: @escaping StubClosure
    ) {
        self.init(
            endpointClosure: endpointClosure, stubClosure: stubClosure,
            session: HTTPSessionManager(transport: Stage.shared.stub))
    }
}

func print(_ items: Any...) {
    Stage.shared.add(items.map { "\($0)" }.joined(separator: " "))
}
