import Bluebonnet

/// The routes of a stub or a server, with a log of requests.
///
/// Tests use it through ``StubRouting``.
public final class StubRoutes: Sendable {
    private struct State {
        var routes: [StubRoute] = []
        var requests: [StubRequest] = []
        var problems: [String] = []
    }

    private let state = Locked(State())

    init() {}

    var requests: [StubRequest] { state.withLock { $0.requests } }

    func add(_ route: StubRoute) { state.withLock { $0.routes.append(route) } }

    func remove(_ route: StubRoute) {
        state.withLock { state in state.routes.removeAll { $0 === route } }
    }

    /// Logs a request and returns the reply of its route.
    ///
    /// - Throws: A failure that reports that no route matches.
    func reply(to request: StubRequest) throws(Exchange.Failure) -> StubRoute.Reply {
        let (request, routes) = state.withLock { state in
            var request = request
            request.number = state.requests.count + 1
            state.requests.append(request)
            return (request, state.routes)
        }
        // Outside the lock, because conditions are the caller's code.
        let matches = routes.lazy.compactMap { route in
            route.target.match(request).map { (route, $0) }
        }
        var found = matches.makeIterator()
        guard let (route, matched) = found.next() else {
            let failure = Exchange.Failure.noRoute(for: request, among: routes)
            note(failure.message)
            throw failure
        }
        if let (other, _) = found.next() {
            note("\(request) matched \(route), which answered, and \(other)")
        }
        state.withLock { $0.requests[request.number - 1] = matched }
        return route.answer(to: matched)
    }

    var problems: [String] {
        let (problems, routes) = state.withLock { ($0.problems, $0.routes) }
        return problems + routes.compactMap(\.problem)
    }

    private func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }
}

/// An error for requests that do not match the routes of a stub, and for unused routes.
public struct StubMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems, one line each.
    public let problems: [String]

    /// All problems, one on each line.
    public var description: String { problems.joined(separator: "\n") }
}

extension Exchange.Failure {
    fileprivate static func noRoute(for request: StubRequest, among routes: [StubRoute]) -> Self {
        let samePath = routes.filter { $0.target.path.match(request.url.absoluteString) != nil }
        let hint =
            if routes.isEmpty {
                "there are no routes"
            } else if samePath.isEmpty {
                "the routes are \(routes.map(\.description).joined(separator: ", "))"
            } else {
                "the path matches \(samePath.map(\.description).joined(separator: ", "))"
            }
        return Self(
            .resourceUnavailable,
            message: "there is no route for \(request.descriptionWithQuery); \(hint)")
    }
}
