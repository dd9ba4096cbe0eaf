import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The interceptors of one attempt: their adapters make its request, and those that have begun hear of its end.
final class AttemptInterception: Sendable {
    private struct Progress {
        /// How many adapters have begun.
        var begunCount = 0
        var isAdapting = false
        /// The end of the attempt, if it came while an adapter was still running.
        var end: EndedAttempt?
        var isOver = false
        /// How many of their adapters the composites among the interceptors have begun.
        var begunByComposites: [ObjectIdentifier: Int] = [:]
    }

    /// An interceptor's error, and which it was.
    struct Failure: Error {
        let error: any Error
        let name: String
    }

    let interceptors: [any RequestInterceptor]
    let session: Session
    let request: Request
    private let attempt: Int
    private let progress = Locked(Progress())

    init(
        _ interceptors: [any RequestInterceptor], session: Session, request: Request, attempt: Int
    ) {
        self.interceptors = interceptors
        self.session = session
        self.request = request
        self.attempt = attempt
    }

    // MARK: Adapting

    /// Returns the request as the adapters make it, each on the result of the one before.
    ///
    /// - Parameters:
    ///   - request: The task's request.
    ///   - question: Told before each adapter, which has a time limit of its own.
    /// - Returns: The request to send, or the error of the first adapter that fails.
    func adapt(_ request: URLRequest, _ question: HookQuestion) async -> Result<URLRequest, Failure>
    {
        var request = request
        let adapterState = RequestAdapterState(
            session: session, request: self.request, attempt: attempt, interception: self)
        for (index, interceptor) in interceptors.enumerated() {
            guard begin(index) else { break }
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

    /// The name of the adapter that is running, or has run last.
    var currentName: String { name(of: progress.withLock { $0.begunCount } - 1) }

    func name(of index: Int) -> String {
        interceptors.indices.contains(index) ? "\(type(of: interceptors[index]))" : "none"
    }

    /// Notes that an adapter is about to run; false once the attempt is over.
    private func begin(_ index: Int) -> Bool {
        progress.withLock { progress in
            guard !progress.isOver else { return false }
            (progress.isAdapting, progress.begunCount) = (true, index + 1)
            return true
        }
    }

    private func adaptersAreDone() {
        let end = progress.withLock { progress in
            progress.isAdapting = false
            return progress.end.take()
        }
        if let end { tell(end) }
    }

    // MARK: The end

    /// Notes the end of the attempt, once; what tells the interceptors, if there are any to tell now.
    ///
    /// An adapter that is still running is waited for: it may be about to take what the end gives back.
    func end(_ attempt: EndedAttempt) -> (@Sendable () -> Void)? {
        let tellsNow = progress.withLock { progress in
            guard !progress.isOver else { return false }
            progress.isOver = true
            if progress.isAdapting { progress.end = attempt }
            return !progress.isAdapting && progress.begunCount > 0
        }
        // Mostly nobody listens, and no Swift task is needed.
        guard tellsNow,
            !interceptors.allSatisfy({
                InterceptorBridge.isDefault(.attemptDidEnd, of: type(of: $0))
            })
        else { return nil }
        return { [self] in tell(attempt) }
    }

    private func tell(_ attempt: EndedAttempt) {
        let count = progress.withLock { $0.begunCount }
        for interceptor in interceptors.prefix(count) { interceptor.attemptDidEnd(attempt) }
    }

    // MARK: Composites

    /// Notes that a composite among the interceptors has begun so many of its adapters.
    func noteBegun(_ count: Int, by composite: AnyObject) {
        progress.withLock { $0.begunByComposites[ObjectIdentifier(composite)] = count }
    }

    func begunCount(by composite: AnyObject) -> Int {
        progress.withLock { $0.begunByComposites[ObjectIdentifier(composite)] } ?? 0
    }
}
