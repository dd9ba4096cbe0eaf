import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking

/// One task of a manager of its own, through the public API: its server, hooks and interceptors
/// follow a plan, and what the caller sees is compared with what the plan leads to.
struct TaskLifeModel {
    private let plan: TaskLifePlan
    private let transport: ScriptedTransport
    private let interceptor: PlannedInterceptor
    private let questions = Occasions()
    /// Whether the task was canceled when it could not have ended yet.
    private let isCancelled = Locked(false)
    private let events = EventLog()
    private let endings = Recorder<TaskLifePlan.Ending>()
    private let folder: URL
    private var file: URL { folder.appendingPathComponent("flower") }

    init(seed: UInt64, in folder: URL) {
        var random = SeededGenerator(seed: seed)
        plan = TaskLifePlan(&random)
        transport = ScriptedTransport(plan)
        interceptor = PlannedInterceptor(plan, questions)
        self.folder = folder
    }

    /// Lives the life with this seed, and returns what was wrong with it, or nil.
    static func walk(seed: UInt64, in folder: URL) async -> String? {
        let model = TaskLifeModel(seed: seed, in: folder)
        guard let fault = await model.live() else { return nil }
        return "\(fault)\n\(model.plan.choices)"
    }

    private func live() async -> String? {
        if plan.kind == .download {
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        defer { if plan.kind == .download { try? FileManager.default.removeItem(at: folder) } }
        defer { transport.forgetExchanges() }
        var manager: HTTPSessionManager? = makeManager()
        weak let weakManager = manager
        if let manager { await start(on: manager) }
        guard await until({ endings.count > 0 }) else { return "the task never ends" }
        let ended = await until {
            transport.exchanges.allSatisfy(\.isOver) && interceptor.isSettled && events.isComplete
        }
        manager = nil
        guard ended else { return "exchanges, attempts or events are missing: \(missing)" }
        guard await until({ weakManager == nil }) else { return "the manager is not released" }
        return fault
    }

    private var missing: String {
        let open = transport.exchanges.filter { !$0.isOver }.count
        return "\(open) exchanges go on, interceptor \(interceptor.account), events \(events.names)"
    }

    private func makeManager() -> HTTPSessionManager {
        let manager = HTTPSessionManager(transport: transport)
        manager.addMonitor(events)
        if plan.hasInterceptor { manager.interceptors = [interceptor] }
        guard plan.hasHooks else { return manager }
        let (plan, questions) = (plan, questions)
        manager.downloadTaskDidFinishDownloading = { _, _ in
            questions.next()
            return nil
        }
        manager.taskWillPerformHTTPRedirection = { _, _, request in
            questions.next()
            await plan.hookPace.pass()
            return plan.declinesRedirects ? nil : request
        }
        manager.didReceiveChallenge = { _, challenge in
            questions.next()
            await plan.hookPace.pass()
            return .useCredential(
                URLCredential(user: "u", password: "p", persistence: .forSession))
        }
        return manager
    }

    private func start(on manager: HTTPSessionManager) async {
        guard let url = URL(string: "http://walk.test/flower") else { return }
        var request = URLRequest(url: url)
        let task: SessionTask
        switch plan.kind {
        case .data:
            task = manager.dataTask(with: request, serializer: .http) { note($0) }
        case .upload:
            request.httpMethod = "PUT"
            task = manager.uploadTask(
                with: request, from: Data(repeating: 1, count: 5_000), serializer: .http
            ) { note($0) }
        case .download:
            let file = file
            task = manager.downloadTask(with: request, destination: { _ in file }) { note($0) }
        case .stream:
            return read(request, from: manager)
        }
        disturb { [weak task] in
            task?.cancel()
        } suspending: { [weak task] in
            task
        }
        if plan.hasHooks, plan.kind != .download {
            // As the chain's `onHTTPResponse` does.
            task.delegate.setHeadHandler(
                .ask { [plan, questions] _ in
                    questions.next()
                    await plan.hookPace.pass()
                    return .allow
                })
        }
        if case .cancelBefore = plan.disturbance {
            task.cancel()
            isCancelled.withLock { $0 = true }
        }
        if case .cancelBeside = plan.disturbance {
            DispatchQueue.global().async { task.cancel() }
        }
        task.resume()
    }

    /// Reads the body of a stream to its end.
    private func read(_ request: URLRequest, from manager: HTTPSessionManager) {
        let reader = Task {
            do throws(BluebonnetError) {
                let stream = try await manager.stream(for: request)
                var count = 0
                for try await piece in stream {
                    guard isRight(piece, from: count) else {
                        return note(.wrong("a piece of another place"))
                    }
                    count += piece.count
                }
                note(.received(byteCount: count))
            } catch {
                note(ending(of: error))
            }
        }
        disturb {
            reader.cancel()
        } suspending: {
            nil
        }
        switch plan.disturbance {
        case .cancelBefore: reader.cancel()
        case .cancelBeside: DispatchQueue.global().async { reader.cancel() }
        default: break
        }
    }

    /// Cancels or suspends when the planned report is about to be delivered, or in a question.
    private func disturb(
        canceling cancel: @escaping @Sendable () -> Void,
        suspending task: @escaping @Sendable () -> SessionTask?
    ) {
        switch plan.disturbance {
        case .cancelAt(let report, let beside):
            act(at: report, of: transport.reports, beside: beside, cancel)
        case .suspendAt(let report, let beside):
            act(at: report, of: transport.reports, beside: beside) {
                task()?.suspend()
                DispatchQueue.global().async { task()?.resume() }
            }
        case .cancelInQuestion(let question):
            let isStream = plan.kind == .stream
            // The task can fail while the question is open, but only because of a second head.
            let mayFail = plan.attempts.flatMap(\.answers).contains { $0.misconduct == .secondHead }
            act(at: question, of: questions) { [transport, isCancelled] in
                cancel()
                isCancelled.withLock { $0 = !mayFail }
                // The reader of a stream might not wait for it yet.
                if !isStream { transport.forbid(.cancelled) }
            }
        case .suspendInQuestion(let question):
            act(at: question, of: questions) { [transport, interceptor] in
                guard let task = task() else { return }
                task.suspend()
                // Only now, because a pause and its end can be on their way outside of a question.
                transport.forbid(.suspended)
                interceptor.hold()
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) {
                    interceptor.release()
                    transport.forbid(nil)
                    task.resume()
                }
            }
        default: break
        }
    }

    private func act(
        at wanted: Int, of occasions: Occasions, beside isBeside: Bool = false,
        _ act: @escaping @Sendable () -> Void
    ) {
        occasions.action.withLock { action in
            action = { number in
                guard number == wanted else { return }
                if isBeside { DispatchQueue.global().async(execute: act) } else { act() }
            }
        }
    }

    // MARK: The end

    private func note(_ response: Response<Data>) {
        note(
            response.error.map { ending(of: $0) }
                ?? (isRight(response.value ?? Data(), from: 0)
                    ? .received(byteCount: response.value?.count ?? -1) : .wrong("another body")))
    }

    private func note(_ response: Response<URL>) {
        if let error = response.error { return note(ending(of: error)) }
        let data = response.value.flatMap { try? Data(mapping: $0) }
        guard let data, isRight(data, from: 0), response.value == file else {
            return note(.wrong("another file"))
        }
        note(.received(byteCount: data.count))
    }

    private func note(_ ending: TaskLifePlan.Ending) { endings.add(ending) }

    private func isRight(_ data: Data, from offset: Int) -> Bool {
        offset + data.count <= ResponseScript.largestSize
            && data == ResponseScript.bytes(offset..<offset + data.count)
    }

    private func ending(of error: BluebonnetError) -> TaskLifePlan.Ending {
        switch error {
        case .cancelled: .cancelled
        case .unacceptableStatus(let code, _): .refused(status: code)
        case .transport: .failed
        default: .wrong("\(error)")
        }
    }

    /// What is wrong with the ended life, or nil.
    private var fault: String? {
        let all = endings.all
        guard all.count == 1 else { return "the handler was called \(all.count) times" }
        if let fault = transport.exchanges.compactMap(\.fault).first { return fault }
        if let fault = interceptor.fault ?? events.fault { return fault }
        let course = plan.course
        let (count, account) = (transport.exchanges.count, interceptor.account)
        let firstBytes = transport.exchanges.map(\.firstByte)
        guard firstBytes == Array(course.firstBytes.prefix(count)) else {
            return "the requests asked for \(firstBytes) instead of \(course.firstBytes)"
        }
        if isCancelled.withLock({ $0 }), all[0] != .cancelled { return "\(all[0]) after a cancel" }
        if all[0] == .cancelled, plan.mayBeCancelled {
            if count > course.exchangeCount { return "\(count) exchanges" }
            if account.asked > course.questionCount { return "\(account.asked) questions" }
            return leftovers
        }
        guard all[0] == course.ending else { return "\(all[0]) instead of \(course.ending)" }
        let answers = plan.attempts.flatMap(\.answers)
        if zip(answers, transport.exchanges).contains(where: { $0.isReadToEnd && $1.wasCut }) {
            return "an exchange was canceled without need"
        }
        guard count == course.exchangeCount else {
            return "\(count) exchanges instead of \(course.exchangeCount)"
        }
        guard !plan.hasInterceptor || account.begun == course.attemptCount else {
            return "\(account.begun) attempts instead of \(course.attemptCount)"
        }
        guard account.asked == course.questionCount else {
            return "\(account.asked) questions instead of \(course.questionCount)"
        }
        return leftovers
    }

    /// Files that a download left where its caller would find them.
    private var leftovers: String? {
        guard plan.kind == .download else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let visible = names.filter { !$0.hasPrefix(".") }
        if case .received = endings.all[0] {
            return names == ["flower"] ? nil : "the folder has \(names)"
        }
        return visible.isEmpty ? nil : "a failed download left \(visible)"
    }
}

extension TaskLifePlan.Pace {
    /// Returns after the time that the answer takes.
    func pass() async {
        switch self {
        case .atOnce: break
        case .yielding: for _ in 0..<3 { await Task.yield() }
        case .onAnotherThread:
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume() }
            }
        }
    }
}
