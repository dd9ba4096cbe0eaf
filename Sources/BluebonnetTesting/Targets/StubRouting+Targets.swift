public import Bluebonnet
import Foundation
import FoundationNetworking

extension StubRouting {
    /// Answers the requests of a target with responses, one after the other; the last one is used again and again.
    ///
    /// They are known by method, URL and whole query, whatever their fields and bodies are; in a ``TestServer`` by all but
    /// scheme, host and port.
    ///
    /// ```swift
    /// stub.on(GitHub.profile("ash"), .status(503), .json(["login": "ash"]))
    /// ```
    ///
    /// - Parameters:
    ///   - target: The target, as a ``TargetProvider`` maps it by default.
    ///   - first: The response to the first request.
    ///   - others: The responses to the others.
    ///   - fileID: Where the route is made, for ``problems``.
    ///   - line: The line there.
    /// - Returns: The route, whose requests can be asked for.
    @discardableResult
    public func on<Target: TargetType>(
        _ target: Target, _ first: StubResponse, _ others: StubResponse...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> StubRoute {
        let endpoint = TargetProvider<Target>.defaultEndpointMapping(for: target)
        // With the query of its parameters; one that cannot be built is never sent.
        let url = (try? endpoint.urlRequest())?.url ?? URL(target: target)
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
        let query = Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        (parts.percentEncodedQuery, parts.fragment) = (nil, nil)
        // What would be a pattern in a path is a text in that of a target.
        parts.percentEncodedPath = parts.percentEncodedPath
            .replacing("*", with: "%2A").replacing("/:", with: "/%3A")
        let place = parts.string ?? url.absoluteString
        let route = StubRoute.Target(
            target.method, self is TestServer ? parts.percentEncodedPath : place, query
        ) { $0.query == query }
        return add(route, .responses([first] + others), "\(fileID):\(line)")
    }
}
