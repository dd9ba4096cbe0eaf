import BluebonnetTransport
import Foundation
package import FoundationNetworking

// What the modules that are built on this one ask of a task, and set. They do not see its state.
extension TaskDelegate {
    /// Whether the task has ended or was canceled.
    package var isOver: Bool {
        state.withLock { $0.run.stage.isFinished || $0.run.isCancelled }
    }

    /// The header fields that the configuration of the manager adds.
    package var additionalHeaders: HTTPHeaders { session.configuration.additionalHeaders }

    /// The requests of all attempts, as last sent; empty before the first is created.
    package var requests: [URLRequest] {
        state.withLock { state in
            (state.rare.formerAttempts.map(\.request) + [state.attempt.request]).compactMap(\.self)
        }
    }

    /// Returns the request of an attempt, counted from 1, before adapters changed it.
    package func initialRequest(ofAttempt number: Int) -> URLRequest? {
        state.withLock { $0.initialRequest(ofAttempt: number) }
    }

    /// The metrics of each attempt; nil for one that sent nothing.
    package var metricsOfAttempts: [TaskMetrics?] { state.withLock { $0.metricsOfAttempts } }

    /// The complete file of a download, and whether it was moved to its destination.
    package var file: (url: URL?, isMoved: Bool) {
        state.withLock { ($0.rare.download?.fileURL, $0.rare.download?.isMoved == true) }
    }

    /// Lets a file without a destination be moved to a unique location and kept there.
    package func keepFile() { state.withLock { $0.rare.download?.keepsFile = true } }

    // MARK: Settings of the caller

    package func setRedirects(_ handler: any RedirectHandler) {
        set(\.rare.redirects, to: .handler(handler))
    }

    package func setCacheHandler(_ handler: @escaping CacheHandler) {
        set(\.rare.cacheHandler, to: handler)
    }

    package func setCredential(_ credential: URLCredential) {
        set(\.rare.credential, to: credential)
    }

    package func setUploadProgress(_ handler: @escaping ProgressHandler) {
        set(\.sending.handler, to: handler)
    }

    package func setDownloadProgress(_ handler: @escaping ProgressHandler) {
        set(\.receiving.handler, to: handler)
    }

    package func setHeadHandler(_ handler: HeadHandler) { set(\.rare.headHandler, to: handler) }

    /// Sets the closure that receives the request of each attempt, and calls it with the request
    /// that is already there.
    package func setRequestHandler(_ tell: @escaping @Sendable (URLRequest) -> Void) {
        let (known, former) = state.withLock { state in
            let former = state.rare.requestHandler
            if !state.run.stage.isFinished { state.rare.requestHandler = tell }
            return (state.attempt.isPrepared ? state.attempt.request : nil, former)
        }
        // Released outside the lock, because its deinitialization can use the request.
        withExtendedLifetime(former) {}
        if let known { tell(known) }
    }

    /// Calls a closure once a request has been created, or the task has ended without one.
    package func awaitRequest(_ tell: @escaping @Sendable () -> Void) {
        let isKnown = state.withLock { state in
            let isKnown =
                state.attempt.isPrepared || !state.rare.formerAttempts.isEmpty
                || state.run.stage.isFinished
            if !isKnown { state.rare.awaitingRequest.append(tell) }
            return isKnown
        }
        if isKnown { tell() }
    }

    // MARK: Responders

    /// Adds a responder whose response Swift tasks await.
    package func addPending<Serializer: ResponseSerializer>(
        _ serializer: Serializer
    ) -> PendingResponse<Serializer.Value> {
        let pending = PendingResponse<Serializer.Value>()
        add(
            Responder(
                serializer: setup.defaults.bound(serializer), receiver: .awaiting(pending)))
        return pending
    }

    /// Calls a closure on a queue, or else on the completion queue of the task or in the pool.
    package func call(on queue: DispatchQueue?, _ closure: @escaping @Sendable () -> Void) {
        let job = session.work.counting(closure)
        if let queue = queue ?? setup.completionQueue, !ProcessFork.hasLostThreads {
            return queue.async(execute: job)
        }
        let delivery = DeliveryStage(self)
        delivery.runInPool {
            job()
            delivery.leavePool()
        }
    }

    // MARK: Streams

    /// Whether a value of a stream that cannot be serialized ends the stream.
    package var endsStreamOnFailure: Bool {
        state.withLock { $0.rare.streams.endsOnFailure }
    }

    /// Whether the values of a stream are still wanted.
    package var wantsStreamValues: Bool {
        state.withLock { !$0.run.isCancelled && $0.rare.streams.failure == nil }
    }
}

extension TaskState {
    fileprivate var metricsOfAttempts: [TaskMetrics?] {
        let all = ends.all
        let last = FormerAttempt(
            request: nil, initialRequest: nil, endCount: all.count,
            redirectCount: attempt.redirectCount)
        var start = 0
        return (rare.formerAttempts + [last]).map { attempt in
            let ends = all[start..<max(start, attempt.endCount)]
            start = attempt.endCount
            return TaskMetrics(ExchangeEnds(ends), redirectCount: attempt.redirectCount)
        }
    }
}
