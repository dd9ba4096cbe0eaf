import BluebonnetTransport
import Foundation

/// An upload body that an asynchronous sequence provides.
package struct UploadPieces: Sendable {
    let length: Int64?
    private let makeStream:
        @Sendable (BodyFault, CallerContext?, (any TaskExecutor)?) -> Exchange.BodyStream

    /// Creates a body from a sequence that can be iterated once.
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

    /// Creates a body from the sequences that `make` returns, each of which starts at the first
    /// byte.
    init<Pieces: AsyncSequence & Sendable>(
        length: Int64?, isReplayable: Bool = true,
        _ make: @escaping @Sendable () throws(StreamFailure) -> Pieces
    ) where Pieces.Element == Data {
        self.length = length
        makeStream = { fault, context, executor in
            Exchange.BodyStream(
                FaultNotingPieces(make: make, fault: fault), length: length,
                isReplayable: isReplayable, executor: executor
            ) { start in
                CallerContext.run(in: context, start)
            }
        }
    }

    /// Returns the body for the transport.
    func exchangeBody(
        _ fault: BodyFault, in context: CallerContext?, on executor: (any TaskExecutor)?
    ) throws(StreamFailure) -> Exchange.Body {
        try StreamFailure.check(length)
        return .stream(makeStream(fault, context, executor))
    }
}

extension StreamFailure {
    fileprivate static let sequenceUsedUp = StreamFailure(
        .unusable,
        "the sequence was already read; pass a closure that creates it, or one sequence per task")
}

/// The pieces of a sequence that is created for each iteration; records its error for the task.
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
