import BluebonnetTransport
import Foundation

/// Who hears of a streamed response, and how far it is.
struct StreamConsumers {
    fileprivate struct End {
        var completion: DataStreamRequest.Completion
        /// Tells the task that everybody has heard of it.
        var tellTask: (@Sendable () -> Void)?
    }

    fileprivate var all: [any StreamConsumer] = []
    fileprivate var isRead = false
    /// Whether something that is no value ends the stream.
    var endsOnFailure = false
    /// The end of the request, which the consumers have yet to hear of.
    fileprivate var pendingEnd: End?
    /// The end, once the consumers hear of it.
    fileprivate var completion: DataStreamRequest.Completion?
    /// Why a handler or a value has ended the stream.
    fileprivate(set) var failure: BluebonnetError?

    /// Whether the request has ended, and its consumers have yet to hear of that.
    var isEnding: Bool { pendingEnd != nil || isTelling }
    fileprivate var isTelling = false
    /// Whether its consumers have heard of the end, or are about to.
    fileprivate var isTold: Bool { completion != nil }

    /// Adds a consumer; whether its request is to be read from now on, whether it is about to end, or how it has ended.
    fileprivate mutating func add(
        _ consumer: any StreamConsumer
    ) -> (isFirst: Bool, isEnding: Bool, DataStreamRequest.Completion?) {
        guard completion == nil else { return (false, false, completion) }
        all.append(consumer)
        defer { isRead = true }
        return (!isRead, pendingEnd != nil, nil)
    }

    /// Takes the end of the request; true if the request has no reader.
    fileprivate mutating func end(_ end: End) -> Bool {
        guard isRead else {
            completion = end.completion
            return true
        }
        pendingEnd = end
        return false
    }

    /// Begins to tell the consumers of the end.
    fileprivate mutating func beginEnd() -> ([any StreamConsumer], End)? {
        guard var end = pendingEnd.take() else { return nil }
        end.completion = end.completion.failing(with: failure)
        completion = end.completion
        isTelling = true
        defer { all = [] }
        return (all, end)
    }
}

extension DataStreamRequest.Completion {
    /// The same, with an error that came behind the end of the body.
    fileprivate func failing(with error: BluebonnetError?) -> Self {
        Self(request: request, head: head, metrics: metrics, error: self.error ?? error)
    }
}

/// Brings a streamed response to its consumers, piece by piece; the next comes when all have had the last.
struct StreamReader: Sendable {
    let delegate: TaskDelegate
    let channel: ResponseChannel

    func read() async {
        while case .success(let chunk?) = await channel.next() {
            let piece = chunk.data
            for consumer in delegate.state.withLock({ $0.streams.all }) {
                await consumer.receive(piece)
            }
            delegate.didConsume(chunk.count)
        }
        let (consumers, isWhole) = delegate.state.withLock { state in
            (state.streams.all, state.streams.pendingEnd?.completion.error == nil)
        }
        if isWhole { for consumer in consumers { await consumer.finish() } }
        guard let (all, end) = delegate.state.withLock({ $0.streams.beginEnd() }) else { return }
        for consumer in all { await consumer.complete(end.completion) }
        end.tellTask?()
    }
}

/// Brings a task's end to the reader of its stream.
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
        let completion = DataStreamRequest.Completion(
            request: told.request, head: told.head, metrics: told.metrics, error: told.error)
        let tellTask: @Sendable () -> Void = { [told] in
            delegate.responderDidReturn(turn) {
                CompletionContent(
                    ResponseParts(told, unacceptedBody: nil), object: nil, error: told.error,
                    serializer: nil)
            }
        }
        let isUnread = delegate.state.withLock { state in
            state.streams.end(StreamConsumers.End(completion: completion, tellTask: tellTask))
        }
        // The end of the request must not wait for a loop that has stopped reading.
        if told.error?.isExplicitlyCancelledError == true {
            delegate.interruptStream()
        } else {
            delegate.releaseStream()
        }
        channel.finish(told.error.map { .failure($0) } ?? .success(()))
        delegate.noteWork()
        if isUnread { tellTask() }
    }
}

extension DataStreamRequest {
    /// Adds a consumer, and starts the request if it is to start by itself.
    func add(_ consumer: any StreamConsumer) {
        let (added, flow) = delegate.state.withLock { ($0.streams.add(consumer), $0.flow) }
        let executor = delegate.session.work.clock?.taskExecutor
        if added.isEnding { consumer.release() }
        if let completion = added.2 {
            Task(executorPreference: executor) { await consumer.complete(completion) }
        } else if added.isFirst, case .stream(let channel) = flow {
            let reader = StreamReader(delegate: delegate, channel: channel)
            Task(executorPreference: executor) { await reader.read() }
        }
        startByItself()
    }
}

extension TaskDelegate {
    /// Ends a streamed request with an error of its handlers or values.
    func endStream(with error: BluebonnetError) {
        state.withLock { state in
            if state.streams.failure == nil, !state.streams.isTold { state.streams.failure = error }
        }
        comeBack(with: .failed(error))
    }

    /// Ends a streamed request as cancelled, also where all of its body has come.
    func cancelStream() {
        state.withLock { state in
            guard state.streams.failure == nil, !state.streams.isTold else { return }
            state.streams.failure = .cancelled(.init(request: state.attempt.request))
        }
        task?.cancel()
        interruptStream()
    }

    /// Has no consumer wait any more until its values are read.
    fileprivate func releaseStream() {
        for consumer in state.withLock({ $0.streams.all }) { consumer.release() }
    }

    /// Drops the values that wait to be read.
    fileprivate func interruptStream() {
        for consumer in state.withLock({ $0.streams.all }) { consumer.interrupt() }
    }
}
