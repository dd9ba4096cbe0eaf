import BluebonnetTransport
import Foundation

/// An upload's body as the pieces of an asynchronous sequence.
struct UploadPieces: Sendable {
    let length: Int64?
    private let makeStream: @Sendable (BodyFault, (any TaskExecutor)?) -> Exchange.BodyStream

    /// Sends a sequence that can be iterated once.
    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, length: Int64?)
    where Pieces.Element == Data {
        let isUsedUp = Locked(false)
        self.init(length: length, isReplayable: false) { () throws(StreamFailure) in
            let wasUsedUp = isUsedUp.withLock { isUsedUp in
                defer { isUsedUp = true }
                return isUsedUp
            }
            if wasUsedUp { throw .sequenceUsedUp }
            return pieces
        }
    }

    /// Sends sequences that `make` returns, each of which begins at the first byte.
    init<Pieces: AsyncSequence & Sendable>(
        length: Int64?, isReplayable: Bool = true,
        _ make: @escaping @Sendable () throws(StreamFailure) -> Pieces
    ) where Pieces.Element == Data {
        self.length = length
        makeStream = { fault, executor in
            Exchange.BodyStream(
                FaultNotingPieces(make: make, fault: fault), length: length,
                isReplayable: isReplayable, executor: executor)
        }
    }

    /// The body as the transport takes it.
    func exchangeBody(
        _ fault: BodyFault, on executor: (any TaskExecutor)?
    ) throws(StreamFailure) -> Exchange.Body {
        try StreamFailure.check(length)
        return .stream(makeStream(fault, executor))
    }
}

extension StreamFailure {
    fileprivate static let sequenceUsedUp = StreamFailure(
        .unusable,
        "the sequence was read before; pass a closure that makes it, or a sequence to each task")
}

/// The pieces of a sequence that is made for each iteration; its error is noted for the task.
private struct FaultNotingPieces<Pieces: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Pieces.Element == Data {
    let make: @Sendable () throws(StreamFailure) -> Pieces
    let fault: BodyFault

    func makeAsyncIterator() -> Iterator {
        Iterator(
            pieces: Result { () throws(StreamFailure) in try make().makeAsyncIterator() },
            fault: fault)
    }

    struct Iterator: AsyncIteratorProtocol {
        var pieces: Result<Pieces.AsyncIterator, StreamFailure>
        let fault: BodyFault

        mutating func next() async throws(Exchange.Failure) -> Data? {
            do {
                var iterator = try pieces.get()
                defer { pieces = .success(iterator) }
                return try await iterator.next()
            } catch {
                throw fault.failure(error)
            }
        }
    }
}
