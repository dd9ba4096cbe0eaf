import BluebonnetTransport
import Foundation

/// A consumer of a streamed response.
///
/// Calls of ``receive(_:)``, ``finish()`` and ``complete(_:)`` never overlap. ``release()`` and
/// ``interrupt()`` can be called on any thread.
package protocol StreamConsumer: Sendable {
    /// Receives a piece of the body and returns when its values have been handled.
    func receive(_ piece: Data) async
    /// Handles the value that ends with the body, if any; no pieces follow.
    func finish() async
    /// Stops waiting for values to be read, because the request has ended.
    func release()
    /// Discards the values that wait to be read, after a cancel.
    func interrupt()
    /// Delivers the end of the request.
    func complete(_ outcome: TaskOutcome) async
}

/// The consumers of a streamed response, and the progress of the delivery to them.
struct StreamConsumers {
    fileprivate struct End {
        var outcome: TaskOutcome
        /// Reports to the task that all consumers have received the end.
        var tellTask: (@Sendable () -> Void)?
    }

    fileprivate var all: [any StreamConsumer] = []
    fileprivate var isRead = false
    /// Whether a value that cannot be serialized ends the stream.
    var endsOnFailure = false
    /// The end of the request, until its delivery to the consumers begins.
    fileprivate var pendingEnd: End?
    /// The end of the request, once its delivery to the consumers has begun.
    fileprivate var outcome: TaskOutcome?
    /// The error with which a handler, a value or a cancel ended the stream.
    fileprivate(set) var failure: BluebonnetError?

    /// Whether the request has ended, and a reader delivers the end or has delivered it.
    var isEnding: Bool { pendingEnd != nil || isTelling }
    fileprivate var isTelling = false
    /// Whether the delivery of the end has begun.
    fileprivate var isTold: Bool { outcome != nil }

    /// Adds a consumer.
    ///
    /// - Returns: Whether reading must start, whether the request has ended, and the end if its
    ///   delivery has already begun.
    fileprivate mutating func add(
        _ consumer: any StreamConsumer
    ) -> (isFirst: Bool, isEnding: Bool, TaskOutcome?) {
        guard outcome == nil else { return (false, false, outcome) }
        all.append(consumer)
        defer { isRead = true }
        return (!isRead, pendingEnd != nil, nil)
    }

    /// Records the end of the request, and returns true if the request has no reader.
    fileprivate mutating func end(_ end: End) -> Bool {
        guard isRead else {
            outcome = end.outcome
            return true
        }
        pendingEnd = end
        return false
    }

    /// Begins the delivery of the end, and returns the consumers and the end.
    fileprivate mutating func beginEnd() -> ([any StreamConsumer], End)? {
        guard var end = pendingEnd.take() else { return nil }
        end.outcome.error = end.outcome.error ?? failure
        outcome = end.outcome
        isTelling = true
        defer { all = [] }
        return (all, end)
    }
}

/// Delivers a streamed response to its consumers, piece by piece.
///
/// The next piece follows when all consumers have handled the previous one.
struct StreamReader: Sendable {
    let delegate: TaskDelegate
    let channel: ResponseChannel

    func read() async {
        while case .success(let piece?) = await channel.next() {
            let data = piece.data
            for consumer in delegate.state.withLock({ $0.rare.streams.all }) {
                await consumer.receive(data)
            }
            piece.release()
        }
        let (consumers, isWhole) = delegate.state.withLock { state in
            (state.rare.streams.all, state.rare.streams.pendingEnd?.outcome.error == nil)
        }
        if isWhole { for consumer in consumers { await consumer.finish() } }
        guard let (all, end) = delegate.state.withLock({ $0.rare.streams.beginEnd() }) else {
            return
        }
        for consumer in all { await consumer.complete(end.outcome) }
        end.tellTask?()
    }
}

/// Delivers the end of a task to the reader of its stream.
final class StreamEnd: TaskResponder {
    private let channel: ResponseChannel

    init(_ channel: ResponseChannel) {
        self.channel = channel
    }

    func respond(
        to outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn
    ) {
        var told = outcome
        told.data = nil
        let tellTask: @Sendable () -> Void = { [told] in
            DeliveryStage(delegate).responderDidReturn(turn) {
                CompletionContent(told)
            }
        }
        let isUnread = delegate.state.withLock { state in
            state.rare.streams.end(StreamConsumers.End(outcome: told, tellTask: tellTask))
        }
        // The end of the request must not wait for a loop that has stopped reading.
        if case .cancelled? = told.error {
            delegate.interruptStream()
        } else {
            delegate.releaseStream()
        }
        channel.finish(told.error.map { .failure($0) } ?? .success(()))
        delegate.noteWork()
        if isUnread { tellTask() }
    }
}

extension StreamTask {
    /// Adds a consumer, which resumes a task that resumes automatically.
    package func add(_ consumer: any StreamConsumer) {
        let (added, flow, starts) = delegate.state.withLock {
            ($0.rare.streams.add(consumer), $0.flow, $0.startsByItself)
        }
        let executor = delegate.session.work.clock?.taskExecutor
        if added.isEnding { consumer.release() }
        if let outcome = added.2 {
            Task(executorPreference: executor) { await consumer.complete(outcome) }
        } else if added.isFirst, case .stream(let channel) = flow {
            let reader = StreamReader(delegate: delegate, channel: channel)
            Task(executorPreference: executor) { await reader.read() }
        }
        if starts { resume() }
    }
}

extension TaskDelegate {
    /// Ends a streamed request with an error of one of its handlers or values.
    package func endStream(with error: BluebonnetError) {
        state.withLock { state in
            if state.rare.streams.failure == nil, !state.rare.streams.isTold {
                state.rare.streams.failure = error
            }
        }
        comeBack(with: .failed(error))
    }

    /// Cancels the delivery to the consumers, which can continue after the whole body has arrived.
    func cancelStream() {
        // Another thread's lock could be missing its owner.
        guard !ProcessFork.hasLostThreads else { return }
        let isRead = state.withLock { state in
            guard state.rare.streams.isRead else { return false }
            if state.rare.streams.failure == nil, !state.rare.streams.isTold {
                state.rare.streams.failure = .cancelled(.init(request: state.attempt.request))
            }
            return true
        }
        if isRead { interruptStream() }
    }

    /// Lets the consumers continue without waiting until their values are read.
    fileprivate func releaseStream() {
        for consumer in state.withLock({ $0.rare.streams.all }) { consumer.release() }
    }

    /// Discards the values that wait to be read.
    fileprivate func interruptStream() {
        for consumer in state.withLock({ $0.rare.streams.all }) { consumer.interrupt() }
    }
}
