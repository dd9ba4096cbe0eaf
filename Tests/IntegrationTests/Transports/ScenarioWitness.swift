import Bluebonnet
import Foundation

/// Everything that can be observed of tasks, except what only sockets have.
///
/// The exceptions are addresses, times, the boundaries of body pieces, and messages of transport
/// failures. Also ignored are a connection's own fields, random values in challenges, and the white
/// space of JSON, which a cassette does not keep.
final class ScenarioWitness: Sendable {
    private struct State {
        var results: [String] = []
        var events: [Int: [String]] = [:]
        var pieces: [String: Int64] = [:]
        var hasJSON = false
    }

    private let state = Locked(State())

    var all: [String] {
        state.withLock { state in
            // How much arrived before a cancel depends on timing.
            let wasCancelled = state.events.values.contains { $0.contains("cancelled (1)") }
            let events = state.events.sorted { $0.key < $1.key }.flatMap { ["task"] + $0.value }
                .filter { !wasCancelled || !$0.hasPrefix("receivedData") }
            let counts = state.pieces.map { "\($0.key): \($0.value)" }.sorted()
            let lines = state.results + events + (wasCancelled ? [] : counts)
            return lines.map { $0.replacing(/last_nonce=\w+/, with: "last_nonce") }
        }
    }

    func note(_ result: String) { state.withLock { $0.results.append(result) } }

    func note<Value>(_ response: Response<Value>) {
        let json = Self.declareJSON(response.headers)
        note(
            "result \(Self.words(of: response.head)) \(Self.words(of: response.trailers)) "
                + "\(Self.words(of: response.data, isJSON: json)) \(Self.words(of: response.error)) "
                + "\(response.redirects.map(\.statusCode))"
                // Without a head, a cassette has no version.
                + (response.head == nil ? "" : " \(response.httpVersion ?? "no version")"))
    }

    // MARK: Events

    func take(_ event: TaskEvent) {
        let words = Self.words(of: event.kind)
        let task = event.task.taskIdentifier
        state.withLock { state in
            let words = "\(words) (\(event.attempt))"
            if case .receivedHead(let head) = event.kind {
                state.hasJSON = Self.declareJSON(head.headers)
            }
            if let (name, count) = Self.piece(event.kind) {
                if name == "sentBodyData" || !state.hasJSON {
                    state.pieces["\(name) of task \(state.events.count)", default: 0] += count
                }
                // Consecutive pieces count as one, and a server can respond before it has read them
                // all.
                if state.events[task]?.last == words || name == "sentBodyData" { return }
            }
            state.events[task, default: []].append(words)
        }
    }

    private static func piece(_ kind: TaskEvent.Kind) -> (String, Int64)? {
        switch kind {
        case .receivedData(let data): ("receivedData", Int64(data.count))
        case .sentBodyData(let count, _, _): ("sentBodyData", count)
        case .wroteData(let count, _, _): ("wroteData", count)
        default: nil
        }
    }

    private static func words(of kind: TaskEvent.Kind) -> String {
        let name = "\(kind)".prefix { !"( ".contains($0) }
        return switch kind {
        case .preparedRequest(let request), .sentRequest(let request):
            "\(name) \(words(of: request))"
        case .receivedHead(let head): "\(name) \(words(of: head))"
        case .willRedirect(let head, let request):
            "\(name) \(words(of: head)) \(words(of: request))"
        case .challenged(let challenge):
            "\(name) \(challenge.scheme) \(challenge.realm) \(challenge.previousFailureCount)"
        case .resumedDownload(let offset, let total): "\(name) \(offset) \(total)"
        case .endedAttempt(let attempt): "\(name) \(words(of: attempt.error))"
        case .completed(let error), .serialized(_, let error):
            "\(name) \(words(of: error))"
        case .collectedMetrics(let metrics):
            "\(name) \(metrics.exchanges.count) \(metrics.redirectCount)"
        default: String(name)
        }
    }

    // MARK: Descriptions

    private static func words(of request: URLRequest) -> String {
        let fields = HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        return
            "\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "") \(words(of: fields))"
    }

    private static func declareJSON(_ headers: HTTPHeaders) -> Bool {
        headers["Content-Type"]?.contains("json") ?? false
    }

    static func words(of head: ResponseHead?) -> String {
        guard let head else { return "no head" }
        return "\(head.statusCode) \(head.url) \(words(of: head.headers))"
    }

    static func words(of headers: HTTPHeaders) -> String {
        let isJSON = declareJSON(headers)
        let fields: [String] = headers.compactMap { field in
            let name = field.name.lowercased()
            if ["connection", "date", "keep-alive", "server", "transfer-encoding"].contains(name) {
                return nil
            }
            if isJSON, name == "content-length" { return nil }
            let isCredential = ["authorization", "www-authenticate"].contains(name)
            return "\(name): \(isCredential ? field.value.prefix { $0 != " " } : field.value[...])"
        }
        return "\(fields.sorted())"
    }

    private static func words(of data: Data?, isJSON: Bool) -> String {
        guard let data else { return "no body" }
        if isJSON, let value = try? JSONSerialization.jsonObject(with: data),
            let text = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        {
            return String(decoding: text, as: UTF8.self)
        }
        return data.count > 200 ? "\(data.count) bytes" : String(decoding: data, as: UTF8.self)
    }

    static func words(of error: BluebonnetError?) -> String {
        guard let error else { return "no error" }
        let context = error.context
        let parts: [(String, Any?)] = [
            ("timeout", error.timeout), ("limit", error.limit), ("part", error.malformedPart),
            ("resumable", error.resumeData.map { _ in true }),
        ]
        let facts = parts.compactMap { part in part.1.map { "\(part.0) \($0)" } }
        return "error \(error.stage) \(error.urlError.code.rawValue) \(facts) "
            + "\(context.head?.statusCode ?? 0) \(words(of: context.data, isJSON: false))"
    }
}

/// The names of each task's notifications, in order.
final class NotificationWitness: Sendable {
    private let names = Locked<[Int: [String]]>([:])

    var all: [String] {
        names.withLock { names in names.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    func add(_ name: String, of task: SessionTask) {
        names.withLock { $0[task.taskIdentifier, default: []].append(name) }
    }
}
