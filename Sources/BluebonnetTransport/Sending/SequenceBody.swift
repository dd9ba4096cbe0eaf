public import Foundation

extension Exchange.BodyStream {
    /// Creates a stream of the pieces of an asynchronous sequence.
    ///
    /// The next piece is requested once the previous one is about to be sent, so a slow connection
    /// slows the sequence down. No thread waits for a piece. If the exchange ends early, the Swift
    /// task that iterates the sequence is canceled.
    ///
    /// - Parameters:
    ///   - pieces: The bytes to send. If the sequence throws an ``Exchange/Failure``, the exchange
    ///     ends with it. For any other error, the exchange ends with a failure that describes it.
    ///   - length: The number of bytes, or nil if it is not known. The default is nil.
    ///   - isReplayable: Whether each iteration of the sequence begins at the first byte. The
    ///     default is false.
    ///   - executor: The executor on which the sequence is iterated, such as
    ///     ``WorkObservingClock/taskExecutor`` of the session's clock. The default is nil, which
    ///     means Swift's global executor.
    public init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, length: Int64? = nil, isReplayable: Bool = false,
        executor: (any TaskExecutor)? = nil
    ) where Pieces.Element == Data {
        self.init(
            pieces, length: length, isReplayable: isReplayable, executor: executor,
            startingIn: { $0() })
    }

    /// Creates a stream whose Swift tasks are created by closures that are passed to `context`.
    package init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, length: Int64?, isReplayable: Bool, executor: (any TaskExecutor)?,
        startingIn context: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) where Pieces.Element == Data {
        self.init(length: length, isReplayable: isReplayable) {
            SequenceSource(pieces, executor, context)
        }
        mayBlock = false
    }
}

/// A source that iterates an asynchronous sequence once.
private final class SequenceSource: BodySource {
    private let handover = PieceHandover()

    init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, _ executor: (any TaskExecutor)?,
        _ context: @Sendable (@escaping @Sendable () -> Void) -> Void
    ) where Pieces.Element == Data {
        context { [handover] in
            let task = Task(executorPreference: executor) {
                do {
                    for try await piece in pieces where !piece.isEmpty {
                        guard await handover.give(piece) else { return }
                    }
                    handover.finish(.success(.end))
                } catch let failure as Exchange.Failure {
                    handover.finish(.failure(failure))
                } catch {
                    handover.finish(
                        .failure(.init(.requestBodyStreamExhausted, message: "\(error)")))
                }
            }
            handover.isProduced(by: task)
        }
    }

    deinit {
        handover.close()
    }

    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        try handover.take(upTo: count, whenReady: wake)
    }
}

/// A handover of single pieces from the Swift task that produces them to the body's reader.
private final class PieceHandover: Sendable {
    private struct State {
        var piece = Data()
        /// The producing task, resumed with whether its piece was taken completely.
        var giver: CheckedContinuation<Bool, Never>?
        var wake: (@Sendable () -> Void)?
        var end: Result<Exchange.BodyPiece, Exchange.Failure>?
        var isClosed = false
        var producer: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Sets the Swift task that is canceled when the handover is closed.
    func isProduced(by task: Task<Void, Never>) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.producer = task }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Waits until the piece has been taken, and returns whether to produce another one.
    func give(_ piece: Data) async -> Bool {
        await withCheckedContinuation { continuation in
            let (isClosed, wake) = state.withLock { state in
                if !state.isClosed { (state.piece, state.giver) = (piece, continuation) }
                return (state.isClosed, state.wake.take())
            }
            if isClosed { continuation.resume(returning: false) }
            wake?()
        }
    }

    func finish(_ end: Result<Exchange.BodyPiece, Exchange.Failure>) {
        let wake = state.withLock { state in
            state.end = end
            return state.wake.take()
        }
        wake?()
    }

    func take(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        let (answer, giver) = state.withLock { state in
            guard state.piece.isEmpty else {
                let first = state.piece.prefix(count)
                state.piece = state.piece.dropFirst(count)
                let giver = state.piece.isEmpty ? state.giver.take() : nil
                return (Result<_, Exchange.Failure>.success(Exchange.BodyPiece.bytes(first)), giver)
            }
            if state.end == nil { state.wake = wake }
            return (state.end ?? .success(.later), nil)
        }
        giver?.resume(returning: true)
        return try answer.get()
    }

    func close() {
        let (giver, producer) = state.withLock { state in
            state.isClosed = true
            return (state.giver.take(), state.producer.take())
        }
        giver?.resume(returning: false)
        producer?.cancel()
    }
}
