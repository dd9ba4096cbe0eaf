import BluebonnetTransport
import Foundation
import FoundationNetworking
import BluebonnetTestSupport

import Bluebonnet

/// Delays hooks, resumes them in a random order, and draws their results.
final class HookGate: Sendable {
    private struct State {
        var random: SeededGenerator
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isOpen = false
    }

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(random: SeededGenerator(seed: seed))) }

    func draw(_ count: UInt64) -> UInt64 { state.withLock { $0.random.next() % count } }

    /// Returns at once, or when the gate lets a waiting hook through.
    func pass() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                let isFree = state.isOpen || state.random.next() % 3 == 0
                if !isFree { state.waiting.append(continuation) }
                return isFree
            }
            if isFree { continuation.resume() }
        }
    }

    func letOneThrough() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else { return nil }
            let index = Int(state.random.next() % UInt64(state.waiting.count))
            return state.waiting.remove(at: index)
        }
        next?.resume()
    }

    /// Lets all hooks through from now on.
    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension SessionManager {
    /// Sets hooks that sometimes cancel their task, and return random results.
    func setRandomHooks(_ gate: HookGate, completed: @escaping @Sendable (SessionTask) -> Void) {
        willStart = { task in
            if gate.draw(16) == 0 { task.cancel() }
            if gate.draw(16) == 0 { task.suspend() }
        }
        taskDidComplete = { task, _ in
            completed(task)
            if gate.draw(4) == 0 { task.cancel() }
            if gate.draw(4) == 0 { task.resume() }
        }
        dataTaskDidReceiveResponse = { task, _ in
            if gate.draw(16) == 0 { task.cancel() }
            return gate.draw(16) == 0 ? .cancel : .allow
        }
        dataTaskDidReceiveData = { task, _ in if gate.draw(16) == 0 { task.cancel() } }
        taskWillPerformHTTPRedirection = { task, _, request in
            await gate.pass()
            if gate.draw(8) == 0 { task.cancel() }
            return gate.draw(4) == 0 ? nil : request
        }
        didReceiveChallenge = { task, _ in
            await gate.pass()
            if gate.draw(8) == 0 { task.cancel() }
            switch gate.draw(6) {
            case 0: return .cancel
            case 1: return .performDefaultHandling
            case 2: return .rejectProtectionSpace
            default: return .useCredential(.test())
            }
        }
        taskNeedsNewBodyStream = { _ in
            await gate.pass()
            guard gate.draw(3) > 0 else { return nil }
            return { InputStream(data: Data("again".utf8)) }
        }
    }
}
