public import Bluebonnet

/// A type that answers requests with routes, and logs them: ``StubTransport`` or ``TestServer``.
///
/// ```swift
/// stub.on(.get, "/users/:id") { .json(["id": $0.parameters["id"]]) }
/// stub.on(.post, "/users", .status(503), .json(["id": 2], status: 201))
/// …
/// #expect(stub.requests(to: "/users/*").count == 1)
/// try stub.verify()
/// ```
///
/// If several routes match a request, the one that was created first answers, and ``verify()``
/// reports the problem. Any thread can use it at any time.
public protocol StubRouting: Sendable {
    /// The routes and the log of requests.
    var routes: StubRoutes { get }
}

extension StubRouting {
    // MARK: Routes

    /// Answers requests of a method with responses, one after the other; the last one is repeated.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, which scheme, host and port can precede. `:name` matches one segment,
    ///     which is in the request's ``StubRequest/parameters``. `*` matches one segment, and `**`
    ///     at the end any number. A query after the path has the same effect as `query`.
    ///   - query: Names and values that the query must contain. The default is none.
    ///   - condition: A further condition for the request, such as its headers or its body. It must
    ///     not block. The default is none.
    ///   - first: The response to the first request.
    ///   - others: The responses to later requests.
    ///   - fileID: The file in which the route is created, for ``problems``.
    ///   - line: The line in that file.
    /// - Returns: The route, which logs its requests.
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

    /// Answers requests of any method with responses, as
    /// ``on(_:_:query:where:_:_:fileID:line:)`` does.
    ///
    /// - Parameters:
    ///   - path: The path, with `:name`, `*` and `**` as in
    ///     ``on(_:_:query:where:_:_:fileID:line:)``.
    ///   - query: Names and values that the query must contain. The default is none.
    ///   - condition: A further condition for the request. It must not block. The default is none.
    ///   - first: The response to the first request.
    ///   - others: The responses to later requests. The last response is repeated.
    ///   - fileID: The file in which the route is created, for ``problems``.
    ///   - line: The line in that file.
    /// - Returns: The route, which logs its requests.
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

    /// Answers requests of a method with the responses that a closure returns.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, as in ``on(_:_:query:where:_:_:fileID:line:)``.
    ///   - query: Names and values that the query must contain. The default is none.
    ///   - condition: A further condition for the request. The default is none.
    ///   - fileID: The file in which the route is created, for ``problems``.
    ///   - line: The line in that file.
    ///   - answer: Returns the response, in its own Swift task. It can suspend.
    /// - Returns: The route, which logs its requests.
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

    /// Answers requests of any method with the responses that a closure returns, as
    /// ``on(_:_:query:where:fileID:line:answer:)`` does.
    ///
    /// - Parameters:
    ///   - path: The path, with `:name`, `*` and `**` as in
    ///     ``on(_:_:query:where:_:_:fileID:line:)``.
    ///   - query: Names and values that the query must contain. The default is none.
    ///   - condition: A further condition for the request. It must not block. The default is none.
    ///   - fileID: The file in which the route is created, for ``problems``.
    ///   - line: The line in that file.
    ///   - answer: Returns the response, in its own Swift task. It can suspend.
    /// - Returns: The route, which logs its requests.
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

    /// Removes a route, so that another one can replace it.
    ///
    /// - Parameter route: The route that `on` returned.
    public func remove(_ route: StubRoute) { routes.remove(route) }

    // MARK: Requests

    /// All requests that arrived, in order.
    public var requests: [StubRequest] { routes.requests }

    /// Returns the requests to a path, in order.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``on(_:_:query:where:_:_:fileID:line:)``.
    ///   - method: The method. If nil, the default, any method matches.
    /// - Returns: The requests, with the ``StubRequest/parameters`` of the path.
    public func requests(to path: String, method: HTTPMethod? = nil) -> [StubRequest] {
        let target = StubRoute.Target(method, path, [:], nil)
        return requests.compactMap { target.match($0) }
    }

    // MARK: The end of a test

    /// The problems so far: requests without a route or with two, routes without a request, and
    /// unused responses.
    public var problems: [String] { routes.problems }

    /// Checks that requests and routes match; call it at the end of a test.
    ///
    /// - Throws: A ``StubMismatch`` with the ``problems``, if there are any.
    public func verify() throws(StubMismatch) {
        let problems = problems
        if !problems.isEmpty { throw StubMismatch(problems: problems) }
    }
}
