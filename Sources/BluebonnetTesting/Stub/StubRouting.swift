public import Bluebonnet

/// Answers requests by routes, and logs them: a ``StubTransport`` or a ``TestServer``.
///
/// ```swift
/// stub.on(.get, "/users/:id") { .json(["id": $0.parameters["id"]]) }
/// stub.on(.post, "/users", .status(503), .json(["id": 2], status: 201))
/// …
/// #expect(stub.requests(to: "/users/*").count == 1)
/// try stub.verify()
/// ```
///
/// Of several routes that fit a request, the one made first answers, and ``verify()`` tells of it. Any thread may
/// use it, at any time.
public protocol StubRouting: Sendable {
    /// The routes and the log of requests.
    var routes: StubRoutes { get }
}

extension StubRouting {
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
        fileID: StaticString = #fileID, line: UInt = #line,
        answer: @escaping StubRoute.Answer
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
        fileID: StaticString = #fileID, line: UInt = #line,
        answer: @escaping StubRoute.Answer
    ) -> StubRoute {
        let target = StubRoute.Target(nil, path, query, condition)
        return add(target, .closure(answer), "\(fileID):\(line)")
    }

    func add(
        _ target: StubRoute.Target, _ script: StubRoute.Script, _ place: String
    ) -> StubRoute {
        let route = StubRoute(target, script, at: place)
        routes.add(route)
        return route
    }

    /// Removes a route, so that another one can take its place.
    public func remove(_ route: StubRoute) { routes.remove(route) }

    // MARK: Requests

    /// All requests that came, in order.
    public var requests: [StubRequest] { routes.requests }

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

    // MARK: The end of a test

    /// What was not as the routes say: requests without a route or with two, routes without a request, and responses that
    /// were not used.
    public var problems: [String] { routes.problems }

    /// Checks that everything was as the routes say; call it at the end of a test.
    ///
    /// - Throws: A ``StubMismatch`` with the ``problems``, if there are any.
    public func verify() throws(StubMismatch) {
        let problems = problems
        if !problems.isEmpty { throw StubMismatch(problems: problems) }
    }
}
