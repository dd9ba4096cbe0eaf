import BluebonnetTransport
import Foundation

/// One refresh of a credential, which any number of Swift tasks can await.
final class CredentialRefresh<Credential: Sendable>: Sendable {
    private struct State {
        var result: Result<Credential, any Error>?
        var waiting: [UUID: CheckedContinuation<Credential, any Error>] = [:]
        var timer: (any SessionTimer)?
    }

    /// Whether the refresh began before a request was sent, rather than after a refusal.
    let isBeforeSending: Bool
    /// Whether the refresh ends after a time limit.
    let isLimited: Bool
    private let state = Locked(State())

    init(isBeforeSending: Bool, isLimited: Bool) {
        (self.isBeforeSending, self.isLimited) = (isBeforeSending, isLimited)
    }

    /// The new credential, once the refresh has ended.
    ///
    /// - Throws: The error of the refresh, or `CancellationError` if the Swift task is canceled.
    var credential: Credential {
        get async throws {
            let identifier = UUID()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let known = state.withLock { state -> Result<Credential, any Error>? in
                        if let result = state.result { return result }
                        if Task.isCancelled { return .failure(CancellationError()) }
                        state.waiting[identifier] = continuation
                        return nil
                    }
                    if let known { continuation.resume(with: known) }
                }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: identifier) }?
                    .resume(throwing: CancellationError())
            }
        }
    }

    /// Whether the refresh has ended.
    var isOver: Bool { state.withLock { $0.result != nil } }

    func end(_ result: Result<Credential, any Error>) {
        let (waiting, timer) = state.withLock { state in
            guard state.result == nil else {
                return (
                    [UUID: CheckedContinuation<Credential, any Error>](), nil as (any SessionTimer)?
                )
            }
            state.result = result
            defer { (state.waiting, state.timer) = ([:], nil) }
            return (state.waiting, state.timer)
        }
        timer?.cancel()
        for continuation in waiting.values { continuation.resume(with: result) }
    }

    /// Sets the timer that ends the refresh if it takes too long.
    func setTimer(_ timer: any SessionTimer) {
        let isOver = state.withLock { state in
            if state.result == nil { state.timer = timer }
            return state.result != nil
        }
        if isOver { timer.cancel() }
    }
}

/// The refreshes that the current Swift task is part of.
///
/// While a refresh runs, tasks created within it bypass the interceptor that refreshes.
struct RefreshScope: Sendable {
    private struct Refresh: Sendable {
        let interceptor: ObjectIdentifier
        let isOver: @Sendable () -> Bool
    }

    @TaskLocal static var current = RefreshScope()

    private var refreshes: [Refresh] = []

    /// Runs a refresh for an interceptor, within the refreshes of the current scope.
    static func run(
        _ interceptor: AnyObject, until isOver: @escaping @Sendable () -> Bool,
        _ refresh: () async -> Void
    ) async {
        var scope = current
        scope.refreshes.append(Refresh(interceptor: ObjectIdentifier(interceptor), isOver: isOver))
        await $current.withValue(scope) { await refresh() }
    }

    /// Runs a closure within this scope, at no cost if the scope is empty.
    func run<Result>(_ body: () async -> Result) async -> Result {
        guard !refreshes.isEmpty else { return await body() }
        return await Self.$current.withValue(self) { await body() }
    }

    func contains(_ interceptor: AnyObject) -> Bool {
        refreshes.contains { $0.interceptor == ObjectIdentifier(interceptor) && !$0.isOver() }
    }
}

extension Request {
    /// Returns whether the task was created within a refresh by the interceptor that still runs.
    func isMadeWithinRefresh(of interceptor: AnyObject) -> Bool {
        let added = delegate.state.withLock { $0.rare.addedInterceptors }
        return [delegate.setup.interceptors, added].contains {
            $0?.scope.contains(interceptor) == true
        }
    }

    /// The question that the attempt's interceptors are being asked.
    var interceptorQuestion: HookQuestion? {
        let (asked, interception) = delegate.state.withLock {
            ($0.question, $0.attempt.interception)
        }
        // An adapter that has not suspended yet runs before the task knows its question.
        return interception?.question ?? asked
    }

    /// Returns whether the task has waited for a refresh by the interceptor.
    func hasRefreshed(by interceptor: AnyObject) -> Bool {
        delegate.state.withLock { $0.rare.refreshes.contains(interceptor) }
    }

    /// Records that the task waits for a refresh.
    func noteRefresh(by interceptor: AnyObject) {
        delegate.state.withLock { $0.rare.refreshes.noteRefresh(interceptor) }
    }

    /// Records that the task is sent again with a new credential, and returns false if it was
    /// before.
    func noteRenewal(by interceptor: AnyObject) -> Bool {
        delegate.state.withLock { $0.rare.refreshes.noteRenewal(interceptor) }
    }

    /// Whether the last response is from the origin of the adapted request.
    var isAtOwnOrigin: Bool {
        guard let first = adaptedURL, let last = request?.url else { return true }
        return URLRequest(url: first).hasSameOrigin(as: URLRequest(url: last))
    }
}

/// What a task has done about credentials, by interceptor.
struct TaskRefreshes {
    private var awaited: Set<ObjectIdentifier> = []
    private var renewed: Set<ObjectIdentifier> = []

    /// Whether the task has waited for a refresh.
    fileprivate func contains(_ interceptor: AnyObject) -> Bool {
        awaited.contains(ObjectIdentifier(interceptor))
    }

    fileprivate mutating func noteRefresh(_ interceptor: AnyObject) {
        awaited.insert(ObjectIdentifier(interceptor))
    }

    /// Records that the task is sent again with a new credential, and returns false if it was.
    fileprivate mutating func noteRenewal(_ interceptor: AnyObject) -> Bool {
        renewed.insert(ObjectIdentifier(interceptor)).inserted
    }
}
