public import BluebonnetTargets
public import BluebonnetTesting

extension StubRouting {
    /// Answers the requests of a target with responses, one after the other; the last one is
    /// repeated.
    ///
    /// Requests match by method, URL and whole query. Header fields and bodies are ignored. A
    /// ``/BluebonnetTesting/TestServer`` also ignores scheme, host and port.
    ///
    /// ```swift
    /// stub.on(GitHub.profile("ash"), .status(503), .json(["login": "ash"]))
    /// ```
    ///
    /// - Parameters:
    ///   - target: The target, as a `TargetProvider` maps it by default.
    ///   - first: The response to the first request.
    ///   - others: The responses to later requests.
    ///   - fileID: The file in which the route is created, for
    ///     ``/BluebonnetTesting/StubRouting/problems``.
    ///   - line: The line in that file.
    /// - Returns: The route, which logs its requests.
    @discardableResult
    public func on<Target: TargetType>(
        _ target: Target, _ first: StubResponse, _ others: StubResponse...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> StubRoute {
        let endpoint = TargetProvider<Target>.defaultEndpointMapping(for: target)
        // With the query of its parameters; a request that cannot be built is never sent.
        var request = URLRequest(url: (try? endpoint.urlRequest())?.url ?? URL(target: target))
        request.httpMethod = target.method.rawValue
        return on(request, first, then: others, fileID: fileID, line: line)
    }
}
