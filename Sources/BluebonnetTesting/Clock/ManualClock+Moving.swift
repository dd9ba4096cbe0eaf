import Bluebonnet

extension ManualClock {
    /// Moves the time forward and calls the timers that become due, each at its own time.
    ///
    /// It waits until the library is idle before and after each timer, so everything that a timer
    /// starts is done when it returns. It does not wait for the test's own Swift tasks: a task that
    /// awaits a response might not have resumed yet. Use ``run(_:)`` for those.
    ///
    /// - Parameter duration: The time to move by. Less than zero moves nothing.
    public func advance(by duration: Duration) async {
        var end: Duration?
        await move { state in
            guard state.workCount == 0 else { return .wait }
            let time = end ?? state.now + duration.asDelay
            end = time
            if let action = state.takeTimer(dueAt: time) { return .call(action) }
            state.now = max(state.now, time)
            return .end
        }
    }

    /// Waits until the library has nothing to do, without moving the time.
    public func idle() async {
        await move { $0.workCount == 0 ? .end : .wait }
    }

    /// Runs a closure, and moves the time to the next timer whenever there is nothing else to do.
    ///
    /// The closure and its child tasks count as work while they run, so the time does not move
    /// until they wait. Tasks created with `Task { }` and code on the main actor do not count. In
    /// the closure, wait with ``sleep(for:)`` instead of moving the time.
    ///
    /// - Parameter body: The closure, which can await requests and ``sleep(for:)``.
    /// - Returns: The result of the closure.
    /// - Throws: The error that the closure throws.
    @discardableResult
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let number = state.withLock { state in
            // The time must not move before the body has begun.
            state.workCount += 1
            state.lastBody += 1
            state.bodies.insert(state.lastBody)
            return state.lastBody
        }
        async let result = perform(body, number: number)
        await move { state in
            guard state.bodies.contains(number) else { return .end }
            guard state.workCount == 0, let action = state.takeTimer(dueAt: .seconds(Int64.max))
            else { return .wait }
            return .call(action)
        }
        return try await result.get()
    }

    private func perform<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value, number: Int
    ) async -> Result<Value, Failure> {
        await withTaskExecutorPreference(CountingExecutor(clock: self)) {
            // From here on, the executor counts the work.
            workDidEnd()
            let result: Result<Value, Failure>
            do throws(Failure) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            let ready = state.withLock { state in
                state.bodies.remove(number)
                return state.takeWaiting()
            }
            for continuation in ready { continuation.resume(returning: .wait) }
            return result
        }
    }

    /// Performs the steps that `decide` returns under the lock, until it returns the end.
    private func move(_ decide: (inout State) -> Step) async {
        // Within a body of `run(_:)`, this would count as work and wait for itself.
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            while true {
                switch await next(decide) {
                case .call(let action):
                    action()
                    workDidEnd()
                case .wait: continue
                case .end: return
                }
            }
        }
    }

    /// Returns the next step, or waits for a change if there is none.
    private func next(_ decide: (inout State) -> Step) async -> Step {
        await withCheckedContinuation { continuation in
            let step = state.withLock { state in
                let step = decide(&state)
                if case .wait = step { state.waiting.append(continuation) }
                return step
            }
            if case .wait = step { return }
            continuation.resume(returning: step)
        }
    }
}
