import Bluebonnet

/// A route of a ``StubTransport`` or a ``TestServer``: which requests it answers, and with what.
public final class StubRoute: Sendable {
    /// Answers a request, in a Swift task of its own.
    public typealias Answer = @Sendable (StubRequest) async throws -> StubResponse

    /// Says whether a route answers a request that its method, path and query fit.
    public typealias Condition = @Sendable (StubRequest) -> Bool

    /// What a request has to be like.
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

        /// The request with what the path's names stand for; nil if it is not like that.
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
        /// One after the other; the last again and again.
        case responses([StubResponse])
        case closure(Answer)
    }

    /// What is to be done with a request.
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

    /// The requests that it has answered, in order.
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

    /// What a test should be told of it at its end; nil for nothing.
    var problem: String? {
        let count = answered.withLock { $0.count }
        if count == 0 { return "no request came for \(self)" }
        guard case .responses(let responses) = script, count < responses.count else { return nil }
        return
            "\(responses.count - count) of the \(responses.count) responses of \(self) were not used"
    }
}

extension StubRoute: CustomStringConvertible {
    /// Method, path and query, and where the route was made.
    public var description: String {
        let query = target.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return "\(target.method?.rawValue ?? "any method") \(target.path)\(suffix) (\(place))"
    }
}
