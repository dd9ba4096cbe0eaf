import Bluebonnet

/// The statements of a snippet, with its article and line.
struct SnippetFunction: Sendable {
    let file: String
    let line: Int
    /// The case of `Snippet.Run`.
    let run: String
    let call: @Sendable () async throws -> Void
}

/// The running tasks, and the errors of the completed ones.
struct TaskLog {
    var running: Set<ObjectIdentifier> = []
    var failures: [String] = []
}

let log = Locked(TaskLog())

func observe(
    _ name: Notification.Name, _ record: @escaping @Sendable (SessionTask, Notification) -> Void
) {
    _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
        notification in
        guard let task = notification.object as? SessionTask else { return }
        record(task, notification)
    }
}

struct UnfinishedTasks: Error {}

/// Waits until no task of the snippet is running.
///
/// The notification of a resumed task is posted a few milliseconds after the call.
///
/// - Throws: ``UnfinishedTasks`` after ten seconds.
func settle() async throws {
    var quiet = 0
    for _ in 0..<2000 {
        quiet = log.withLock { $0.running.isEmpty } ? quiet + 1 : 0
        if quiet == 10 { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw UnfinishedTasks()
}

/// Writes a line that does not wait for the output of the snippets.
func report(_ error: String, of snippet: SnippetFunction) {
    let line = "\(snippet.file):\(snippet.line): error: \(error)\n"
    FileHandle.standardError.write(Data(line.utf8))
}

func run(_ snippet: SnippetFunction, server: URL) async throws -> Bool {
    log.withLock { $0 = TaskLog() }
    Scene.current.withLock { $0 = nil }
    let scene = try Scene(server: server)
    Scene.current.withLock { $0 = scene }
    defer { try? FileManager.default.removeItem(at: scene.directory) }
    do {
        try await snippet.call()
        try await settle()
    } catch {
        report("the snippet throws: \(error)", of: snippet)
        return false
    }
    let failures = log.withLock { $0.failures }
    guard snippet.run == "succeeds" else { return true }
    for failure in failures { report("a task fails: \(failure)", of: snippet) }
    return failures.isEmpty
}

guard CommandLine.arguments.count == 3, let article = articles[CommandLine.arguments[1]],
    let server = URL(string: CommandLine.arguments[2])
else { fatalError("usage: program ARTICLE URL") }

observe(SessionTask.didResumeNotification) { task, _ in
    log.withLock { _ = $0.running.insert(ObjectIdentifier(task)) }
}
observe(SessionTask.didCompleteNotification) { task, notification in
    let error = notification.userInfo?[SessionTask.NotificationKey.error]
    log.withLock { log in
        log.running.remove(ObjectIdentifier(task))
        if let error { log.failures.append("\(error)") }
    }
}

var allHold = true
for snippet in article where snippet.run != "no" {
    // The test finds the output of each snippet after its mark.
    print("\u{1E}\(snippet.line)")
    allHold = try await run(snippet, server: server) && allHold
}
exit(allHold ? 0 : 1)
