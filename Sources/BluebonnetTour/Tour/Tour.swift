import Bluebonnet

/// The steps of the tour, one line each; they are in the satellites, by topic.
struct Tour {
    let manager: TourManager
    /// Where the tour's files are while it lasts.
    let directory: URL
    /// Where lines and bars are shown.
    let output: Terminal
    private(set) var failures = 0

    private static let steps: [@Sendable (inout Tour) async -> Void] = [
        { await $0.getDocuments() },
        { await $0.postParameters() },
        { await $0.getTyped() },
        { await $0.getMissing() },
        { await $0.getMany() },
        { await $0.cancel() },
        { await $0.downloadAndUpload() },
        { await $0.resumeDownload() },
        { await $0.readStream() },
        { await $0.answerChallenge() },
        { await $0.keepCookie() },
    ]

    init(manager: TourManager, directory: URL, output: Terminal) {
        self.manager = manager
        self.directory = directory
        self.output = output
    }

    /// Takes all steps; if the Swift task is cancelled, ends the step under way and takes no more.
    mutating func run() async {
        let notified = Count()
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification,
            object: nil,
            queue: nil
        ) { _ in notified.increment() }
        defer { NotificationCenter.default.removeObserver(observer) }

        let manager = manager
        await withTaskCancellationHandler {
            for step in Self.steps where !Task.isCancelled { await step(&self) }
            if !Task.isCancelled { await checkHooks(notified) }
        } onCancel: {
            // Ends the step under way: calls with completion handlers do not know of the Swift task.
            manager.invalidate(cancelingTasks: true, resetSession: false)
        }
    }

    private mutating func checkHooks(_ notified: Count) async {
        // Notifications follow their handlers on a queue of their own.
        for _ in 0..<500 where notified.current < manager.started.current {
            try? await Task.sleep(for: .milliseconds(10))
        }
        let counts = [manager.started.current, manager.completed.current, notified.current]
        line(
            "hooks and observers",
            counts == [28, 28, 28],
            "\(counts[0]) starts, \(counts[1]) completions, \(counts[2]) notifications",
            nil
        )
    }

    // MARK: Calls with completion handlers

    func get<Serializer: ResponseSerializer>(
        _ path: String,
        _ serializer: Serializer
    ) async -> Response<Serializer.Value> {
        await withCheckedContinuation { continuation in
            manager.get(path, serializer: serializer) { continuation.resume(returning: $0) }
        }
    }

    /// A request for a path of the tour's server, for the calls that take requests.
    func request(_ path: String, method: String = "GET") -> URLRequest {
        var request = URLRequest(url: manager.url(for: path) ?? directory)
        request.httpMethod = method
        return request
    }

    // MARK: Lines

    mutating func report<Value>(
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

    mutating func line(
        _ step: String, _ held: Bool, _ text: String, _ metrics: TaskMetrics?
    ) {
        // A step that was broken off says nothing about the library.
        guard !Task.isCancelled else { return }
        if !held { failures += 1 }
        let time = metrics.map { String(format: "%7.2f ms", $0.taskInterval.duration * 1000) }
        let columns = [
            held ? "ok    " : "FAILED",
            step.padding(toLength: 20, withPad: " ", startingAt: 0),
            time ?? "          ",
            text,
        ]
        output.print(columns.joined(separator: "  "))
    }
}
