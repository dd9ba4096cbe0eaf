import BluebonnetTransport

/// A question that a hook is being asked, and its time limit.
final class HookQuestion: Sendable {
    private struct State {
        var answering: Task<Void, Never>?
        var timer: (any SessionTimer)?
        var startTimer: (@Sendable () -> any SessionTimer)?
        var isPaused = false
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Begins the time limit of a question that a Swift task answers.
    func begin(
        _ answering: Task<Void, Never>?, timer startTimer: (@Sendable () -> any SessionTimer)?
    ) {
        let hasEnded = state.withLock { state in
            (state.answering, state.startTimer) = (answering, startTimer)
            return state.hasEnded
        }
        if hasEnded { return end() }
        renewLimit()
    }

    /// Restarts the time limit.
    func renewLimit() {
        guard let timer = state.withLock({ $0.isPaused ? nil : $0.startTimer })?() else { return }
        let unwanted = state.withLock { state in
            guard !state.hasEnded, !state.isPaused else { return timer as (any SessionTimer)? }
            defer { state.timer = timer }
            return state.timer
        }
        unwanted?.cancel()
    }

    /// Stops the time limit, also one that has not begun yet.
    func pauseLimit() {
        let timer = state.withLock { state in
            state.isPaused = true
            return state.timer.take()
        }
        timer?.cancel()
    }

    /// Begins the time limit anew after a pause.
    func resumeLimit() {
        state.withLock { $0.isPaused = false }
        renewLimit()
    }

    /// Cancels the Swift task and the timer.
    func end() {
        let former = state.withLock { state in
            state.hasEnded = true
            defer { (state.answering, state.timer, state.startTimer) = (nil, nil, nil) }
            return (state.answering, state.timer, state.startTimer)
        }
        former.0?.cancel()
        former.1?.cancel()
    }
}
