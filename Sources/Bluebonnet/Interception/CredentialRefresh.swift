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
    /// That of the credential that is refreshed.
    let version: Int
    private let state = Locked(State())

    init(isBeforeSending: Bool, of version: Int) {
        self.isBeforeSending = isBeforeSending
        self.version = version
    }

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

/// The interceptors for which the Swift task refreshes a credential; tasks made in it are sent without them.
enum RefreshScope {
    @TaskLocal static var refreshing: [ObjectIdentifier] = []

    static func run(_ interceptor: AnyObject, _ refresh: () async -> Void) async {
        await $refreshing.withValue(refreshing + [ObjectIdentifier(interceptor)]) {
            await refresh()
        }
    }

    static func contains(_ interceptor: AnyObject) -> Bool {
        refreshing.contains(ObjectIdentifier(interceptor))
    }
}

extension Request {
    /// Whether the task was made in a refresh for that interceptor.
    func isMadeWithinRefresh(of interceptor: AnyObject) -> Bool {
        delegate.setup.refreshing.contains(ObjectIdentifier(interceptor))
    }

    /// Notes that a refresh follows the task's refusal; false if that was so before.
    func noteRefresh(by interceptor: AnyObject) -> Bool {
        delegate.state.withLock { $0.refreshes.insert(ObjectIdentifier(interceptor)).inserted }
    }

    /// Whether the last response is from the origin that the adapted request was for.
    var isAtOwnOrigin: Bool {
        guard let first = adaptedURL, let last = request?.url else { return true }
        return URLRequest(url: first).hasSameOrigin(as: URLRequest(url: last))
    }
}
