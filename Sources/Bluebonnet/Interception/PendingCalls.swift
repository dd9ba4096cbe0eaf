import BluebonnetTransport

/// The calls of the methods of an ``OpenInterceptor`` that have not been answered yet.
///
/// Each form of a method calls the other, which can be overridden. An override that calls `super`
/// gets back to the form that called it. It must then be answered by the class itself, or the two
/// forms would call each other forever. A method of the superclass cannot know whether an override
/// calls it, so it looks for a pending call of the same method about the same request.
final class PendingCalls: Sendable {
    /// Identifies the request that a call is about.
    struct Token: Hashable, Sendable {
        var id: ObjectIdentifier
        var attempt = 0
    }

    private typealias Work = @Sendable () async -> Void

    private final class Call: Sendable {
        let method: InterceptorBridge.Method
        let token: Token
        /// The attempt that the form without a state adapts.
        let state: RequestAdapterState?
        /// Whether a call that has left its Swift task can be that of this call's override.
        let isOfAttempt: Bool
        /// The work that `super` leaves to the caller, or nil if the caller takes no more of it.
        private let work: Locked<[Work]?>

        init(
            _ method: InterceptorBridge.Method, _ token: Token, _ state: RequestAdapterState?,
            takesWork: Bool
        ) {
            self.method = method
            self.token = token
            self.state = state
            // A caller of the completion form takes no work. Its override would otherwise be called
            // again and again, if it calls `super` on another thread.
            isOfAttempt = state != nil || !takesWork
            work = Locked(takesWork ? [] : nil)
        }

        /// Leaves work to the caller, or returns false if it takes no more.
        func leave(_ job: @escaping Work) -> Bool {
            work.withLock { work in
                work?.append(job)
                return work != nil
            }
        }

        func takeWork() -> [Work] { work.withLock { $0.take() } ?? [] }
    }

    /// The adaptation of a request by the form that has no state.
    private final class Adaptation: Sendable {
        let calls: PendingCalls
        let state: RequestAdapterState?

        init(_ calls: PendingCalls, _ state: RequestAdapterState?) {
            self.calls = calls
            self.state = state
        }
    }

    @TaskLocal private static var adaptation: Adaptation?

    private let pending = Locked<[Call]>([])

    // MARK: The state of an adaptation

    private var adaptation: Adaptation? {
        guard let adaptation = Self.adaptation, adaptation.calls === self else { return nil }
        return adaptation
    }

    /// Identifies the adaptation by the form that has no state, or is nil if it is not known.
    ///
    /// It is not known on a thread to which an override has moved the call.
    var token: Token? { adaptation.map { Token(id: ObjectIdentifier($0)) } }

    /// Returns the state of the adaptation by the form that has no state, if it is known.
    func state(for session: Session) -> RequestAdapterState? {
        if let adaptation { return adaptation.state.flatMap { $0.session === session ? $0 : nil } }
        // On another thread, it is known if there is only one such adaptation.
        let states = pending.withLock { $0.compactMap(\.state) }.filter { $0.session === session }
        return states.count == 1 ? states.first : nil
    }

    /// Runs an adaptation by the form that has no state.
    func adapting<Value: Sendable>(
        in state: RequestAdapterState?, _ adapt: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await Self.$adaptation.withValue(Adaptation(self, state)) { try await adapt() }
    }

    // MARK: The two forms of a method

    /// Returns the answer of an `async` form that is not overridden, or whose override calls it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - token: Identifies the request that the call is about, or is nil if it is not known.
    ///   - own: The behavior of the class itself.
    ///   - form: Calls the completion form.
    /// - Returns: The answer of the completion form, or that of the class itself.
    /// - Throws: The error that is the answer, or `CancellationError` if the Swift task is canceled
    ///   before an answer arrives.
    func answer<Answer: Sendable>(
        _ method: InterceptorBridge.Method, _ token: Token?,
        own: @escaping @Sendable () async throws -> Answer,
        asking form:
            @escaping @Sendable (
                _ complete: @escaping @Sendable (Result<Answer, any Error>) -> Void
            ) -> Void
    ) async throws -> Answer {
        guard call(of: method, token) == nil else { return try await own() }
        guard let token else {
            return try await adapting(in: nil) {
                try await self.answer(method, self.token, own: own, asking: form)
            }
        }
        let call = begin(method, token, takesWork: true)
        defer { end(call) }
        let answer = FirstAnswer<Answer>()
        form { answer.give($0) }
        // Here, so that it is canceled with the caller and needs no other thread.
        for job in call.takeWork() { await job() }
        return try await answer.value
    }

    /// Completes a completion form that is not overridden, or whose override calls it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - token: Identifies the request that the call is about, or is nil if it is not known.
    ///   - session: The manager of the task.
    ///   - own: The behavior of the class itself.
    ///   - form: Calls the `async` form.
    ///   - completion: Called with the answer of the `async` form, or with that of the class itself.
    func complete<Answer: Sendable>(
        _ method: InterceptorBridge.Method, _ token: Token?, for session: Session,
        own: @escaping @Sendable () async throws -> Answer,
        asking form: @escaping @Sendable () async throws -> Answer,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        let work: Work
        if let call = call(of: method, token) {
            work = { completion(await Self.result(of: own)) }
            guard !call.leave(work) else { return }
        } else {
            work = { completion(await Self.result { try await self.ask(form, method, token) }) }
        }
        Task(executorPreference: session.hookExecutor) { await work() }
    }

    /// Returns the answer of an `async` form to a caller of the completion form.
    private func ask<Answer: Sendable>(
        _ form: @escaping @Sendable () async throws -> Answer,
        _ method: InterceptorBridge.Method, _ token: Token?
    ) async throws -> Answer {
        guard let token else {
            return try await adapting(in: nil) { try await self.ask(form, method, self.token) }
        }
        let call = begin(method, token, takesWork: false)
        defer { end(call) }
        return try await form()
    }

    private static func result<Answer: Sendable>(
        of answer: @Sendable () async throws -> Answer
    ) async -> Result<Answer, any Error> {
        do {
            return .success(try await answer())
        } catch {
            return .failure(error)
        }
    }

    // MARK: Pending calls

    /// Returns the pending call of a method about the same request.
    private func call(of method: InterceptorBridge.Method, _ token: Token?) -> Call? {
        pending.withLock { calls in
            calls.first { call in
                // A call that has left its Swift task is most likely that of an override.
                call.method == method && (token.map { call.token == $0 } ?? call.isOfAttempt)
            }
        }
    }

    private func begin(
        _ method: InterceptorBridge.Method, _ token: Token, takesWork: Bool
    ) -> Call {
        let call = Call(method, token, adaptation?.state, takesWork: takesWork)
        pending.withLock { $0.append(call) }
        return call
    }

    private func end(_ call: Call) {
        pending.withLock { $0.removeAll { $0 === call } }
    }
}
