import Bluebonnet

/// The steps of the tour, one line each.
struct Tour {
    struct Greeting: Decodable, Sendable {
        var message: String
        var number: Int
    }

    let manager: TourManager
    private(set) var failures = 0

    init(manager: TourManager) {
        self.manager = manager
    }

    mutating func run() async {
        let notified = Count()
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification,
            object: nil,
            queue: nil
        ) { _ in notified.increment() }
        defer { NotificationCenter.default.removeObserver(observer) }

        await getDocuments()
        await postParameters()
        await getTyped()
        await getMissing()
        await getMany()
        await cancel()
        await checkHooks(notified)
    }

    // MARK: Steps

    private mutating func getDocuments() async {
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

    private mutating func postParameters() async {
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

    private mutating func getTyped() async {
        do {
            let greeting = try await manager.get("json", as: Greeting.self)
            line("GET typed, async", greeting.number == 42, "\(greeting)", nil)
        } catch {
            line("GET typed, async", false, "\(error)", nil)
        }
    }

    private mutating func getMissing() async {
        let response = await get("status/404", JSONResponseSerializer())
        let body = response.object as? [String: Any]
        let status = response.head?.statusCode ?? 0
        let held = status == 404 && body?["status"] as? Int == 404 && response.error != nil
        line("GET a 404", held, "status \(status), body \(body ?? [:])", response.metrics)
        print("    \(response.error.map { "\($0)" } ?? "no error")")
    }

    private mutating func getMany() async {
        let manager = manager
        let clock = ContinuousClock()
        var statuses: [Int] = []
        let duration = await clock.measure {
            statuses = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let response = await manager.response(
                            for: URLRequest(
                                url: manager.url(for: "delay/50") ?? URL(fileURLWithPath: "/")),
                            serializer: HTTPResponseSerializer()
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

    private mutating func cancel() async {
        let response = await withCheckedContinuation { continuation in
            let task = manager.get("hang", serializer: HTTPResponseSerializer()) {
                continuation.resume(returning: $0)
            }
            task.cancel()
        }
        let held = response.error?.isCancelled == true
        line("cancel", held, response.error.map { "\($0)" } ?? "no error", response.metrics)
    }

    private mutating func checkHooks(_ notified: Count) async {
        // Notifications follow their handlers on a queue of their own.
        for _ in 0..<500 where notified.current < manager.completed.current {
            try? await Task.sleep(for: .milliseconds(10))
        }
        let held = manager.completed.current == 19 && notified.current == 19
        line(
            "hooks and observers",
            held,
            "\(manager.completed.current) completions, \(notified.current) notifications",
            nil
        )
    }

    // MARK: Calls with completion handlers

    private func get<Serializer: ResponseSerializer>(
        _ path: String,
        _ serializer: Serializer
    ) async -> Response<Serializer.Value> {
        await withCheckedContinuation { continuation in
            manager.get(path, serializer: serializer) { continuation.resume(returning: $0) }
        }
    }

    private func post(_ parameters: Parameters) async -> Response<(any Sendable)?> {
        await withCheckedContinuation { continuation in
            manager.post("echo", parameters: parameters) { continuation.resume(returning: $0) }
        }
    }

    /// The body that the echoing server says it got.
    private func body(of response: Response<(any Sendable)?>) -> String? {
        (response.object as? [String: Any])?["body"] as? String
    }

    // MARK: Lines

    private mutating func report<Value>(
        _ step: String,
        _ response: Response<Value>,
        _ held: Bool,
        _ describe: (Value) -> String
    ) {
        switch response.result {
        case .success(let value): line(step, held, describe(value), response.metrics)
        case .failure(let error): line(step, false, "\(error)", response.metrics)
        }
    }

    private mutating func line(
        _ step: String, _ held: Bool, _ text: String, _ metrics: TaskMetrics?
    ) {
        if !held { failures += 1 }
        let time = metrics.map { String(format: "%7.2f ms", $0.taskInterval.duration * 1000) }
        let columns = [
            held ? "ok    " : "FAILED",
            step.padding(toLength: 20, withPad: " ", startingAt: 0),
            time ?? "          ",
            text,
        ]
        print(columns.joined(separator: "  "))
    }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
