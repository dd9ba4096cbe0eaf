public import Bluebonnet

/// A transport whose responses a test gives, by routes.
///
/// All of the library above the transport is real: redirects, cookies, challenges, limits, deadlines, validation and
/// serialization. Nothing is sent.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/users/:id") { .json(["id": $0.parameters["id"]]) }
/// stub.on(.post, "/users", .status(503), .json(["id": 2], status: 201))
/// let api = HTTPSessionManager(baseURL: URL(string: "https://example.org"), transport: stub)
/// …
/// #expect(stub.requests(to: "/users/*").count == 1)
/// try stub.verify()
/// ```
///
/// Delays of responses, and the timeouts that run meanwhile, go by the session's clock: with a
/// ``ManualClock`` they take no time. Of several routes that fit, the one made first
/// answers, and ``verify()`` tells of it. A request for which there is
/// no route fails with the code `resourceUnavailable`. Any thread may use it, at any time.
public final class StubTransport: Transport {
    /// Answers a request, in a Swift task.
    ///
    /// What it throws fails the exchange: an ``Exchange/Failure`` as it is, other errors with a
    /// description.
    public typealias Answer = @Sendable (StubRequest) async throws -> StubResponse

    enum Reply {
        case response(StubResponse)
        case closure(StubRequest, Answer)
    }

    private struct State {
        var routes: [StubRoute] = []
        var requests: [StubRequest] = []
        var problems: [String] = []
    }

    private let state = Locked(State())

    /// Makes a stub without routes.
    public init() {}

    /// Makes the transfer of an exchange.
    public func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        StubTransfer(exchange, reportingTo: sink) { [self] in answer(to: $0, body: $1) }
    }

    // MARK: Routes

    /// Answers requests of a method with responses, one after the other; the last one is used again and again.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, with or without scheme, host and port in front of it. `:name` stands for one
    ///     segment, which the request's ``StubRequest/parameters`` have, `*` for one, and `**` at the end
    ///     for any number. A query behind it counts as `query` does.
    ///   - query: Names and values that the query has to have, among others. The default is none.
    ///   - condition: What else has to be true of the request, such as its headers or its body. It must
    ///     return at once. The default is nothing.
    ///   - first: The response to the first request.
    ///   - others: The responses to the others.
    ///   - fileID: Where the route is made, for ``problems``.
    ///   - line: The line there.
    /// - Returns: The route, whose requests can be asked for.
    @discardableResult
    public func on(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:],
        where condition: StubRoute.Condition? = nil, _ first: StubResponse,
        _ others: StubResponse...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> StubRoute {
        let target = StubRoute.Target(method, path, query, condition)
        return add(target, .responses([first] + others), "\(fileID):\(line)")
    }

    /// Answers requests of any method with responses, as ``on(_:_:query:where:_:_:fileID:line:)`` does.
    @discardableResult
    public func on(
        _ path: String, query: [String: String] = [:],
        where condition: StubRoute.Condition? = nil, _ first: StubResponse,
        _ others: StubResponse...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> StubRoute {
        let target = StubRoute.Target(nil, path, query, condition)
        return add(target, .responses([first] + others), "\(fileID):\(line)")
    }

    /// Answers requests of a method with what a closure makes of them.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, as in ``on(_:_:query:where:_:_:fileID:line:)``.
    ///   - query: Names and values that the query has to have, among others. The default is none.
    ///   - condition: What else has to be true of the request. The default is nothing.
    ///   - fileID: Where the route is made, for ``problems``.
    ///   - line: The line there.
    ///   - answer: Makes the response, in a Swift task of its own. It may wait.
    /// - Returns: The route, whose requests can be asked for.
    @discardableResult
    public func on(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:],
        where condition: StubRoute.Condition? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, answer: @escaping Answer
    ) -> StubRoute {
        let target = StubRoute.Target(method, path, query, condition)
        return add(target, .closure(answer), "\(fileID):\(line)")
    }

    /// Answers requests of any method with what a closure makes of them, as
    /// ``on(_:_:query:where:fileID:line:answer:)`` does.
    @discardableResult
    public func on(
        _ path: String, query: [String: String] = [:],
        where condition: StubRoute.Condition? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, answer: @escaping Answer
    ) -> StubRoute {
        let target = StubRoute.Target(nil, path, query, condition)
        return add(target, .closure(answer), "\(fileID):\(line)")
    }

    private func add(
        _ target: StubRoute.Target, _ script: StubRoute.Script, _ place: String
    ) -> StubRoute {
        let route = StubRoute(target, script, at: place)
        state.withLock { $0.routes.append(route) }
        return route
    }

    /// Removes a route, so that another one can take its place.
    public func remove(_ route: StubRoute) {
        state.withLock { state in state.routes.removeAll { $0 === route } }
    }

    // MARK: Requests

    /// All requests that came, in order.
    public var requests: [StubRequest] { state.withLock { $0.requests } }

    /// The requests of a method to a path, in order.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``on(_:_:query:where:_:_:fileID:line:)``.
    ///   - method: The method; nil, the default, for any.
    /// - Returns: The requests.
    public func requests(to path: String, method: HTTPMethod? = nil) -> [StubRequest] {
        let target = StubRoute.Target(method, path, [:], nil)
        return requests.filter { target.match($0) != nil }
    }

    func answer(to exchange: Exchange, body: Data) -> Reply {
        // What cannot be parsed here is no URL for the session either.
        let url = URL(string: exchange.url) ?? URL(fileURLWithPath: "/")
        let (time, headers) = (exchange.clock.now, HTTPHeaders(exchange.fields))
        let (request, routes) = state.withLock { state in
            let request = StubRequest(
                number: state.requests.count + 1, time: time,
                method: HTTPMethod(rawValue: exchange.method), url: url,
                headers: headers, body: body, attempt: exchange.attempt,
                attributes: exchange.attributes)
            state.requests.append(request)
            return (request, state.routes)
        }
        // Outside the lock: conditions are the caller's.
        let matches = routes.lazy.compactMap { route in
            route.target.match(request).map { (route, $0) }
        }
        var found = matches.makeIterator()
        guard let (route, matched) = found.next() else {
            let failure = Exchange.Failure.noRoute(for: request, among: routes)
            note(failure.message)
            return .response(.failure(failure))
        }
        if let (other, _) = found.next() {
            note("\(request) matched \(route), which answered, and \(other)")
        }
        return route.answer(to: matched)
    }

    // MARK: The end of a test

    private func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

    /// What was not as the routes say: requests without a route or with two, routes without a request, and responses that
    /// were not used.
    public var problems: [String] {
        let (problems, routes) = state.withLock { ($0.problems, $0.routes) }
        return problems + routes.compactMap(\.problem)
    }

    /// Checks that everything was as the routes say; call it at the end of a test.
    ///
    /// - Throws: A ``StubMismatch`` with the ``problems``, if there are any.
    public func verify() throws(StubMismatch) {
        let problems = problems
        if !problems.isEmpty { throw StubMismatch(problems: problems) }
    }
}

/// What was not as a stub's routes say.
public struct StubMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// One line each.
    public let problems: [String]

    /// All problems, one on each line.
    public var description: String { problems.joined(separator: "\n") }
}

extension Exchange.Failure {
    fileprivate static func noRoute(for request: StubRequest, among routes: [StubRoute]) -> Self {
        let samePath = routes.filter { $0.target.path.match(request.url.absoluteString) != nil }
        let hint =
            if routes.isEmpty {
                "the stub has no routes"
            } else if samePath.isEmpty {
                "the routes are \(routes.map(\.description).joined(separator: ", "))"
            } else {
                "the path fits \(samePath.map(\.description).joined(separator: ", "))"
            }
        return Self(.resourceUnavailable, message: "the stub has no route for \(request); \(hint)")
    }
}
