import Bluebonnet

/// A route of a ``StubTransport`` or a ``TestServer``: conditions for requests, and the responses
/// to them.
public final class StubRoute: Sendable {
    /// A closure that returns the response to a request, in its own Swift task.
    public typealias Answer = @Sendable (StubRequest) async throws -> StubResponse

    /// A closure that returns whether a route answers a request whose method, path and query match.
    public typealias Condition = @Sendable (StubRequest) -> Bool

    /// The conditions for a request.
    struct Target: Sendable {
        var method: HTTPMethod?
        var path: PathPattern
        var query: [String: String]
        var condition: Condition?

        init(
            _ method: HTTPMethod?, _ path: String, _ query: [String: String],
            _ condition: Condition?
        ) {
            let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
            let items = URLComponents(string: "/?" + parts.dropFirst().joined())?.queryItems
            self.method = method
            self.path = PathPattern(parts.first ?? "")
            self.query = (items ?? []).reduce(into: query) {
                $0[$1.name] = $1.value ?? ""
            }
            self.condition = condition
        }

        /// Returns the request with the texts of the named segments; nil if it does not match.
        func match(_ request: StubRequest) -> StubRequest? {
            if let method, method != request.method { return nil }
            guard let parameters = path.match(request.url.absoluteString) else { return nil }
            let others = query.isEmpty ? [:] : request.query
            guard query.allSatisfy({ others[$0.key] == $0.value }) else { return nil }
            var request = request
            request.parameters = parameters
            if let condition, !condition(request) { return nil }
            return request
        }
    }

    enum Script: Sendable {
        /// Responses in order; the last one is repeated.
        case responses([StubResponse])
        case closure(Answer)
    }

    /// The reply to a request.
    enum Reply {
        case response(StubResponse)
        case closure(StubRequest, Answer)
    }

    let target: Target
    let script: Script
    private let place: String
    private let answered = Locked<[StubRequest]>([])

    init(_ target: Target, _ script: Script, at place: String) {
        self.target = target
        self.script = script
        self.place = place
    }

    /// The requests that the route has answered, in order.
    public var requests: [StubRequest] { answered.withLock { $0 } }

    func answer(to request: StubRequest) -> Reply {
        let index = answered.withLock { answered in
            answered.append(request)
            return answered.count - 1
        }
        switch script {
        case .closure(let answer): return .closure(request, answer)
        case .responses(let responses):
            return .response(responses.dropFirst(index).first ?? responses.last ?? StubResponse())
        }
    }

    /// The problem to report at the end of a test; nil for none.
    var problem: String? {
        let count = answered.withLock { $0.count }
        if count == 0 { return "no request matched \(self)" }
        guard case .responses(let responses) = script, count < responses.count else { return nil }
        return
            "\(responses.count - count) of the \(responses.count) responses of \(self) were not used"
    }
}

extension StubRoute: CustomStringConvertible {
    /// The method, path and query, and the place where the route was created.
    public var description: String {
        let query = target.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return "\(target.method?.rawValue ?? "any method") \(target.path)\(suffix) (\(place))"
    }
}
