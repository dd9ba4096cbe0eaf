import BluebonnetTransport
import Foundation

/// One refresh of a credential, for which any number of Swift tasks wait.
final class CredentialRefresh<Credential: Sendable>: Sendable {
    private struct State {
        var result: Result<Credential, any Error>?
        var waiting: [UUID: CheckedContinuation<Credential, any Error>] = [:]
        var timer: (any SessionTimer)?
    }

    /// Whether it was begun before a request was sent, and not by a refusal.
    let isBeforeSending: Bool
    private let state = Locked(State())

    init(isBeforeSending: Bool) { self.isBeforeSending = isBeforeSending }

    /// The new credential, once it is there.
    ///
    /// - Throws: What the refresh failed with, and `CancellationError` if the Swift task is cancelled.
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

    /// Whether those who wait have their answer.
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

    /// Sets what ends it when it takes too long.
    func setTimer(_ timer: any SessionTimer) {
        let isOver = state.withLock { state in
            if state.result == nil { state.timer = timer }
            return state.result != nil
        }
        if isOver { timer.cancel() }
    }
}

/// The refreshes in which something is done; tasks made in one are sent without its interceptor, as long as it runs.
struct RefreshScope: Sendable {
    private struct Refresh: Sendable {
        let interceptor: ObjectIdentifier
        let isOver: @Sendable () -> Bool
    }

    @TaskLocal static var current = RefreshScope()

    private var refreshes: [Refresh] = []

    /// Does something within a refresh for an interceptor, and within those around it.
    static func run(
        _ interceptor: AnyObject, until isOver: @escaping @Sendable () -> Bool,
        _ refresh: () async -> Void
    ) async {
        var scope = current
        scope.refreshes.append(Refresh(interceptor: ObjectIdentifier(interceptor), isOver: isOver))
        await $current.withValue(scope) { await refresh() }
    }

    /// Does something as though in the scope, without a cost where that is empty.
    func run<Result>(_ body: () async -> Result) async -> Result {
        guard !refreshes.isEmpty else { return await body() }
        return await Self.$current.withValue(self) { await body() }
    }

    func contains(_ interceptor: AnyObject) -> Bool {
        refreshes.contains { $0.interceptor == ObjectIdentifier(interceptor) && !$0.isOver() }
    }
}

extension Request {
    /// Whether the task was made in a refresh for that interceptor, which still runs.
    func isMadeWithinRefresh(of interceptor: AnyObject) -> Bool {
        let added = delegate.state.withLock { $0.addedInterceptors }
        return [delegate.setup.interceptors, added].contains {
            $0?.scope.contains(interceptor) == true
        }
    }

    /// Whether the task has waited for a refresh by that interceptor.
    func hasWaited(forRefreshBy interceptor: AnyObject) -> Bool {
        delegate.state.withLock { $0.refreshes.contains(ObjectIdentifier(interceptor)) }
    }

    /// Notes that the task waits for a refresh; false if it did before.
    func noteRefresh(by interceptor: AnyObject) -> Bool {
        delegate.state.withLock { $0.refreshes.insert(ObjectIdentifier(interceptor)).inserted }
    }

    /// Whether the last response is from the origin that the adapted request was for.
    var isAtOwnOrigin: Bool {
        guard let first = adaptedURL, let last = request?.url else { return true }
        return URLRequest(url: first).hasSameOrigin(as: URLRequest(url: last))
    }
}
