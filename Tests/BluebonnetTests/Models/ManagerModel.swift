import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking

@testable import Bluebonnet

/// A manager on a stub, whose tasks, exchanges and hooks act in a random order.
///
/// The seed determines the order, but not how threads share the library's work.
final class ManagerModel {
    enum Event: CaseIterable {
        case make, makeUpload, makeStream, resume, suspend, cancel, drop, prioritize
        case begin, send, reply, replyAtOnce, fail, redirect, challenge, answer, settle, reset
    }

    let stub = ManualTransport()
    let gate: HookGate
    let accounts = TaskAccounts()
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "model")
    var random: SeededGenerator
    var manager: SessionManager?
    let isManagerDropped: Bool
    private let interceptor: ModelInterceptor
    private(set) var tasks: [SessionTask] = []
    private var transfers: [ManualTransfer] = []
    /// The numbers of the exchanges that have a head.
    ///
    /// `ended` has those that were ended.
    private var heads: Set<Int> = []
    private var ended: Set<Int> = []
    /// The last exchange of each task.
    private var latest: [String: Int] = [:]
    private var invalidations = 0
    private(set) var disagreement: String?
    private var sessions: [SessionCore] = []
    private let notifications: NotificationPoster
    private let callbacks: BatchQueue<SessionCore.Callback>
    private let observers: [any NSObjectProtocol]
    /// The number of events that had an effect.
    private(set) var steps = 0
    var log: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        gate = HookGate(seed: seed &+ 1)
        let manager = HTTPSessionManager(transport: stub)
        self.manager = manager
        interceptor = ModelInterceptor(gate)
        // The other half has no interceptors, so its callbacks are never asynchronous.
        if random.next() % 2 == 0 { manager.interceptors = [interceptor] }
        (notifications, callbacks) = (manager.notifications, manager.callbacks)
        observers = accounts.observe(notifications)
        manager.completionGroup = group
        manager.completionQueue = queue
        isManagerDropped = random.next() % 2 == 0
        manager.setRandomHooks(gate) { [accounts] in accounts.noteCompletion($0) }
        manager.sessionDidBecomeInvalid = { [accounts] _ in accounts.noteInvalidation() }
    }

    deinit { observers.forEach(NotificationCenter.default.removeObserver) }

    private func draw(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

    // MARK: Events

    func take(_ event: Event) async {
        log.append("\(event)")
        switch event {
        case .make, .makeUpload, .makeStream: if tasks.count < 40 { make(event) }
        case .resume: pick { $0.resume() }
        case .suspend: pick { $0.suspend() }
        case .cancel: if draw(3) == 0 { pick { $0.cancel() } }
        case .drop:
            guard !tasks.isEmpty, draw(3) == 0 else { return }
            let index = draw(tasks.count)
            // A suspended task can wait to be sent again, and only its holder could resume it.
            guard tasks[index].state != .suspended || tasks[index].delegate.isNew else { return }
            steps += 1
            tasks.remove(at: index)
        case .prioritize: pick { $0.priority = 1 }
        case .answer:
            steps += 1
            gate.letOneThrough()
        case .settle:
            steps += 1
            await callbacks.flush()
            if draw(3) == 0 { await expectAgreement() }
        case .begin:
            respond { $0.respond(Bool.random(using: &random) ? 404 : 200, Self.json, ["{"]) }
        case .send: pickBegun()?.send([#""a":1}"#])
        case .reply: respond(ends: true) { $0.reply() }
        case .replyAtOnce: respond(ends: true) { $0.replyAtOnce(200, Self.json, "[]") }
        case .fail: respond(ends: true) { $0.fail(.lost) }
        case .redirect: respond(ends: true) { $0.redirect(to: "/next\(draw(3))") }
        case .challenge: respond(ends: true) { $0.challenge("Basic realm=r") }
        case .reset:
            guard draw(20) == 0 else { return }
            steps += 1
            invalidate(resetSession: true)
        }
    }

    private func invalidate(resetSession: Bool) {
        guard let manager else { return }
        invalidations += 1
        manager.invalidate(cancelingTasks: draw(2) == 0, resetSession: resetSession)
    }

    private func expectAgreement() async {
        if disagreement == nil, await !until({ areAsTheirTasks }) {
            disagreement = "an exchange is paused, or goes on, and its task does not"
        }
    }

    private static let json = ["Content-Type": "application/json"]

    private func pick(_ act: (SessionTask) -> Void) {
        guard !tasks.isEmpty else { return }
        steps += 1
        act(tasks[draw(tasks.count)])
    }

    private func make(_ kind: Event) {
        guard let manager else { return }
        steps += 1
        let number = accounts.open(hasHandler: draw(4) > 0)
        let handler: @Sendable (Response<any Sendable>) -> Void = { [accounts] _ in
            accounts.noteHandler(number)
        }
        let optional = accounts.all[number].hasHandler ? handler : nil
        guard let url = URL(string: draw(20) == 0 ? "ftp://no" : "http://stub.test/\(number)")
        else { return }
        var request = URLRequest(url: url)
        request.setValue("\(number)", forHTTPHeaderField: "X-Number")
        let task: SessionTask
        switch kind {
        case .makeUpload:
            request.httpMethod = "POST"
            task = manager.uploadTask(
                with: request, from: Data("body".utf8), completionHandler: optional)
        case .makeStream:
            request.httpMethod = "PUT"
            request.httpBodyStream = InputStream(data: Data("body".utf8))
            task = manager.dataTask(with: request, completionHandler: optional)
        default: task = manager.dataTask(with: request, completionHandler: optional)
        }
        task.taskDescription = "\(number)"
        tasks.append(task)
        let session = task.delegate.session
        if !sessions.contains(where: { $0 === session }) { sessions.append(session) }
    }

    /// Answers an exchange under way.
    ///
    /// One that has a head can only be ended.
    private func respond(ends: Bool = false, _ answer: (ManualTransfer) -> Void) {
        look()
        let open = transfers.indices.filter { !ended.contains($0) }
        guard !open.isEmpty else { return }
        let index = open[draw(open.count)]
        steps += 1
        if ends { ended.insert(index) }
        if heads.insert(index).inserted {
            answer(transfers[index])
        } else if ends {
            transfers[index].end()
        }
    }

    /// Returns an exchange whose body is arriving.
    private func pickBegun() -> ManualTransfer? {
        let begun = heads.subtracting(ended).sorted()
        guard !begun.isEmpty else { return nil }
        steps += 1
        return transfers[begun[draw(begun.count)]]
    }

    // MARK: The end

    /// Lets everything end, and returns what is wrong then, or nil.
    func finish() async -> String? {
        await expectAgreement()
        if let disagreement { return disagreement }
        gate.open()
        if isManagerDropped {
            manager = nil
        } else if draw(2) == 0 {
            invalidate(resetSession: draw(2) == 0)
        }
        for task in tasks where draw(4) > 0 { task.resume() }
        // Tasks that were never resumed end when they are released.
        for task in tasks where task.state == .suspended && !task.delegate.isNew { task.resume() }
        tasks = []
        let isOver = await until {
            endTransfers()
            return accounts.areOver
        }
        await settle()
        guard isOver else { return "some tasks never end" }
        // Interceptors receive the end in a Swift task.
        _ = await until { interceptor.fault == nil }
        if let fault = fault ?? lostTransfer { return fault }
        return await remains() ?? interceptor.fault
    }

    /// Ends the exchanges of tasks that continue and were not canceled.
    private func endTransfers() {
        look()
        for (index, transfer) in transfers.enumerated() where !ended.contains(index) {
            guard let number = number(of: transfer), !accounts.isEnding(number) else { continue }
            ended.insert(index)
            if heads.insert(index).inserted { transfer.reply() } else { transfer.end() }
        }
    }

    /// Whether exchanges under way are paused and canceled exactly like their tasks.
    private var areAsTheirTasks: Bool {
        look()
        return tasks.allSatisfy { task in
            guard let last = task.taskDescription.flatMap({ latest[$0] }), !ended.contains(last)
            else { return true }
            let calls = transfers[last].calls.all
            let isPaused = calls.last { $0 == .suspend || $0 == .resume } == .suspend
            switch task.state {
            case .running: return !isPaused
            case .suspended: return isPaused
            case .cancelled: return task.delegate.hasEnded || calls.contains(.cancel)
            case .initialized, .completed: return true
            }
        }
    }

    /// Records the exchanges that were started since the last call.
    private func look() {
        let all = stub.exchanges
        for index in transfers.count..<all.count {
            latest[all[index].value(of: "X-Number") ?? ""] = index
        }
        transfers = all
    }

    private func number(of transfer: ManualTransfer) -> Int? {
        transfer.value(of: "X-Number").flatMap { Int($0) }
    }

    private func settle() async {
        for _ in 0..<3 {
            await callbacks.flush()
            for number in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                await DrainLane.of(number).dispatchQueue.fence()
            }
            await queue.fence()
            await notifications.flush()
        }
    }

    private var fault: String? {
        for (number, account) in accounts.all.enumerated() {
            // Without its manager a task has no hooks.
            if let fault = account.fault(hasManager: !isManagerDropped) {
                return "task \(number): \(fault)"
            }
        }
        return nil
    }

    /// An exchange of an ended task that was neither ended nor canceled.
    private var lostTransfer: String? {
        for (index, transfer) in stub.exchanges.enumerated() where !ended.contains(index) {
            guard transfer.calls.all.contains(.cancel) else { return "exchange \(index) goes on" }
        }
        for transfer in stub.exchanges {
            let cancels = transfer.calls.all.filter { $0 == .cancel }.count
            if cancels > 1 { return "an exchange was canceled \(cancels) times" }
        }
        return nil
    }

    /// Returns what is not released.
    private func remains() async -> String? {
        let isLeft = Locked(false)
        group.notify(queue: .global()) { isLeft.withLock { $0 = true } }
        guard await until({ isLeft.withLock { $0 } }) else { return "the group is not left" }
        let heard = await until { isManagerDropped || accounts.invalidationCount >= invalidations }
        guard heard, accounts.invalidationCount <= invalidations else {
            return "of \(invalidations) invalidations \(accounts.invalidationCount) were heard of"
        }
        for session in sessions where !session.map.withLock({ $0.all.isEmpty }) {
            return "a map is not empty"
        }
        weak let weakManager = manager
        manager = nil
        guard await until({ weakManager == nil }) else { return "the manager is held" }
        return nil
    }
}
