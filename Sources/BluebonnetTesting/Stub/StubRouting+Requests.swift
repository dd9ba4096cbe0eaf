public import Bluebonnet
import Foundation
public import FoundationNetworking

extension StubRouting {
    /// Answers the requests that a client sends for a request type with responses, one after the
    /// other; the last one is repeated.
    ///
    /// Requests match by method, URL and whole query, as the client writes them now. What interceptors
    /// change does not match. A ``TestServer`` ignores scheme, host and port.
    ///
    /// ```swift
    /// try stub.on(GetUser(id: 7), of: client, .status(503), .json(["name": "Ann"]))
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - client: The client that sends it.
    ///   - first: The response to the first request.
    ///   - others: The responses to later requests.
    ///   - fileID: The file in which the route is created, for ``problems``.
    ///   - line: The line in that file.
    /// - Returns: The route, which logs its requests.
    /// - Throws: The reason why the client cannot send the request.
    @discardableResult
    public func on(
        _ request: some APIRequest, of client: APIClient,
        _ first: StubResponse, _ others: StubResponse...,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(BluebonnetError) -> StubRoute {
        let url = try client.urlRequest(for: request).url ?? client.baseURL
        var expected = URLRequest(url: url)
        expected.httpMethod = request.method.rawValue
        return on(expected, first, then: others, fileID: fileID, line: line)
    }

    /// Answers requests of the method and URL of a request with responses, one after the other; the
    /// last one is repeated.
    ///
    /// The whole query must match, in any order. Header fields and bodies are ignored. A
    /// ``TestServer`` also ignores scheme, host and port.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - first: The response to the first request.
    ///   - others: The responses to later requests. The default is none.
    ///   - fileID: The file in which the route is created, for ``problems``.
    ///   - line: The line in that file.
    /// - Returns: The route, which logs its requests.
    @discardableResult
    public func on(
        _ request: URLRequest, _ first: StubResponse, then others: [StubResponse] = [],
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> StubRoute {
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        let script = StubRoute.Script.responses([first] + others)
        let source = "\(fileID):\(line)"
        guard let url = request.url else {
            // Such a request is never sent.
            return add(StubRoute.Target(method, "/", [:]) { _ in false }, script, source)
        }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
        let items = url.sortedQueryItems
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        (parts.percentEncodedQuery, parts.fragment) = (nil, nil)
        // The path is a text, so pattern characters in it are escaped.
        parts.percentEncodedPath = parts.percentEncodedPath
            .replacing("*", with: "%2A").replacing("/:", with: "/%3A")
        let place = parts.string ?? url.absoluteString
        let target = StubRoute.Target(
            method, self is TestServer ? parts.percentEncodedPath : place, query
        ) { $0.url.sortedQueryItems == items }
        return add(target, script, source)
    }
}

extension URL {
    /// The items of the query in an order of their own; those of one name keep theirs.
    fileprivate var sortedQueryItems: [URLQueryItem] {
        let items = URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return items.enumerated().sorted {
            ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
        }
        .map(\.element)
    }
}
