import Bluebonnet

// Requests whose responses are collected in memory.
extension Tour {
    struct Greeting: Decodable, Sendable {
        var message: String
        var number: Int
    }

    mutating func getDocuments() async {
        let json = await get("json", JSONResponseSerializer())
        report("GET JSON", json, (json.object as? [String: Any])?["message"] as? String == "hello")
        {
            "object with \(($0 as? [String: Any])?.count ?? 0) keys"
        }
        let xml = await get("xml", XMLDocumentResponseSerializer())
        report("GET XML", xml, true) { "root <\($0.root.name)>" }
        let list = await get("plist", PropertyListResponseSerializer())
        report("GET property list", list, list.object is [String: Any]) {
            "dictionary with \(($0 as? [String: Any])?.count ?? 0) keys"
        }
        let raw = await get("bytes/10000", HTTPResponseSerializer())
        report("GET raw", raw, raw.value?.count == 10_000) { "\($0.count) bytes" }
    }

    mutating func postParameters() async {
        let parameters = ["name": "bluebonnet", "petals": 5] as Parameters
        let form = await post(parameters)
        let formBody = body(of: form)
        report("POST form", form, formBody == "name=bluebonnet&petals=5") { _ in
            "the server read \(formBody ?? "nothing")"
        }
        manager.requestSerializer = JSONRequestSerializer()
        let json = await post(parameters)
        let jsonBody = body(of: json)
        report("POST JSON", json, jsonBody == #"{"name":"bluebonnet","petals":5}"#) { _ in
            "the server read \(jsonBody ?? "nothing")"
        }
    }

    mutating func getTyped() async {
        do {
            let greeting = try await manager.get("json", as: Greeting.self)
            line("GET typed, async", greeting.number == 42, "\(greeting)", nil)
        } catch {
            line("GET typed, async", false, "\(error)", nil)
        }
    }

    mutating func getMissing() async {
        let response = await get("status/404", JSONResponseSerializer())
        let body = response.object as? [String: Any]
        let status = response.head?.statusCode ?? 0
        guard !Task.isCancelled else { return }
        let held = status == 404 && body?["status"] as? Int == 404 && response.error != nil
        line("GET a 404", held, "status \(status), body \(body ?? [:])", response.metrics)
        output.print("    \(response.error.map { "\($0)" } ?? "no error")")
    }

    mutating func getMany() async {
        let manager = manager
        let request = request("delay/50")
        let clock = ContinuousClock()
        var statuses: [Int] = []
        let duration = await clock.measure {
            statuses = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let response = await manager.response(
                            for: request, serializer: HTTPResponseSerializer()
                        )
                        return response.head?.statusCode ?? 0
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let held = statuses == Array(repeating: 200, count: 10)
        line("GET ten at once", held, "each takes 50 ms, all took \(duration.milliseconds) ms", nil)
    }

    mutating func cancel() async {
        let response = await withCheckedContinuation { continuation in
            let task = manager.get("hang", serializer: HTTPResponseSerializer()) {
                continuation.resume(returning: $0)
            }
            task.cancel()
        }
        let held = response.error?.isCancelled == true
        line("cancel", held, response.error.map { "\($0)" } ?? "no error", response.metrics)
    }

    private func post(_ parameters: Parameters) async -> Response<any Sendable> {
        await withCheckedContinuation { continuation in
            manager.post("echo", parameters: parameters) { continuation.resume(returning: $0) }
        }
    }

    /// The body that the echoing server says it got.
    private func body(of response: Response<any Sendable>) -> String? {
        (response.object as? [String: Any])?["body"] as? String
    }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
