import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The interceptors of one attempt, which adapt its request and are notified of its end.
final class AttemptInterception: Sendable {
    private struct Progress {
        /// The number of adapters that have started.
        var begunCount = 0
        var isAdapting = false
        /// The question that the adapters are being asked.
        var question: HookQuestion?
        /// The end of the attempt, if it ended while an adapter was still running.
        var end: EndedAttempt?
        var isOver = false
        /// The number of adapters that each composite interceptor has started.
        var begunByComposites: [ObjectIdentifier: Int] = [:]
    }

    /// The error of an interceptor, and the name of its type.
    struct Failure: Error {
        let error: any Error
        let name: String
    }

    let interceptors: [any RequestInterceptor]
    let session: Session
    let request: Request
    private let attempt: Int
    /// The context in which the interceptors run; nil for those that were added to a running task.
    let context: CallerContext?
    private let progress = Locked(Progress())

    init(
        _ interceptors: [any RequestInterceptor], session: Session, request: Request,
        attempt: Int, context: CallerContext?
    ) {
        self.interceptors = interceptors
        self.session = session
        self.request = request
        self.attempt = attempt
        self.context = context
    }

    // MARK: Adapting

    /// Runs the adapters in order, each on the result of the previous one.
    ///
    /// - Parameters:
    ///   - request: The task's request.
    ///   - question: The open question, whose time limit is renewed before each adapter.
    /// - Returns: The request to send, or the error of the first adapter that fails.
    func adapt(_ request: URLRequest, _ question: HookQuestion) async -> Result<URLRequest, Failure>
    {
        var request = request
        let adapterState = RequestAdapterState(
            session: session, request: self.request, attempt: attempt, interception: self)
        for (index, interceptor) in interceptors.enumerated() {
            guard begin(index, question) else { break }
            if index > 0 { question.renewLimit() }
            do {
                request = try await interceptor.adapt(request, using: adapterState)
            } catch {
                adaptersAreDone()
                return .failure(Failure(error: error, name: name(of: index)))
            }
        }
        adaptersAreDone()
        return .success(request)
    }

    /// The question that the adapters are being asked; nil if none is running.
    var question: HookQuestion? { progress.withLock { $0.question } }

    /// The name of the adapter that is running or ran last.
    var currentName: String { name(of: progress.withLock { $0.begunCount } - 1) }

    func name(of index: Int) -> String {
        interceptors.indices.contains(index) ? "\(type(of: interceptors[index]))" : "none"
    }

    /// Records that an adapter is about to run, and returns false if the attempt has ended.
    private func begin(_ index: Int, _ question: HookQuestion) -> Bool {
        progress.withLock { progress in
            guard !progress.isOver else { return false }
            (progress.isAdapting, progress.begunCount) = (true, index + 1)
            progress.question = question
            return true
        }
    }

    private func adaptersAreDone() {
        let end = progress.withLock { progress in
            (progress.isAdapting, progress.question) = (false, nil)
            return progress.end.take()
        }
        if let end { tell(end) }
    }

    // MARK: The end

    /// Records the end of the attempt once, and returns a closure that notifies the interceptors.
    ///
    /// Returns nil if no interceptor needs to be notified now. If an adapter is still running, the
    /// notification follows when it returns, because it can still reserve resources that the
    /// notification must release.
    func end(_ attempt: EndedAttempt) -> (@Sendable () -> Void)? {
        let tellsNow = progress.withLock { progress in
            guard !progress.isOver else { return false }
            progress.isOver = true
            if progress.isAdapting { progress.end = attempt }
            return !progress.isAdapting && progress.begunCount > 0
        }
        // Avoids a Swift task in the common case that no interceptor implements the method.
        guard tellsNow,
            !interceptors.allSatisfy({ DefaultMethod.attemptDidEnd.isKnown(of: type(of: $0)) })
        else { return nil }
        return { [self] in tell(attempt) }
    }

    private func tell(_ attempt: EndedAttempt) {
        let count = progress.withLock { $0.begunCount }
        for interceptor in interceptors.prefix(count) { interceptor.attemptDidEnd(attempt) }
    }

    // MARK: Composites

    /// Records how many of its adapters a composite interceptor has started.
    func noteBegun(_ count: Int, by composite: AnyObject) {
        progress.withLock { $0.begunByComposites[ObjectIdentifier(composite)] = count }
    }

    func begunCount(by composite: AnyObject) -> Int {
        progress.withLock { $0.begunByComposites[ObjectIdentifier(composite)] } ?? 0
    }
}
