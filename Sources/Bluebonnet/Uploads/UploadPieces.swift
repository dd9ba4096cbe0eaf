import BluebonnetTransport
import Foundation

/// An upload's body as the pieces of an asynchronous sequence.
struct UploadPieces: Sendable {
    private let length: Int64?
    private let isReplayable: Bool
    private let makeStream: @Sendable (Int64?, Bool, BodyFault) -> Exchange.BodyStream

    /// `isReplayable` is whether each call of `make` gives a sequence that begins at the first byte.
    init<Pieces: AsyncSequence & Sendable>(
        length: Int64?, isReplayable: Bool, _ make: @escaping @Sendable () -> Pieces
    ) where Pieces.Element == Data {
        self.length = length
        self.isReplayable = isReplayable
        let isUsedUp = Locked(false)
        makeStream = { length, isReplayable, fault in
            let pieces = FaultNotingPieces(fault: fault) { () throws(StreamFailure) in
                guard isReplayable || isUsedUp.withLock({ $0.setFirst() }) else {
                    throw .sequenceUsedUp
                }
                return make()
            }
            return Exchange.BodyStream(pieces, length: length, isReplayable: isReplayable)
        }
    }

    /// The body as the transport takes it.
    func exchangeBody(_ fault: BodyFault) throws(StreamFailure) -> Exchange.Body {
        try StreamFailure.check(length)
        return .stream(makeStream(length, isReplayable, fault))
    }
}

extension Bool {
    /// Sets it; true the first time.
    fileprivate mutating func setFirst() -> Bool {
        defer { self = true }
        return !self
    }
}

extension StreamFailure {
    fileprivate static let sequenceUsedUp = StreamFailure(
        .unusable,
        "the sequence was read before; give a closure that makes it, or another sequence to each task"
    )
}

/// The pieces of a sequence that is made for each iteration, whose error is noted for the task.
private struct FaultNotingPieces<Pieces: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Pieces.Element == Data {
    let fault: BodyFault
    let make: @Sendable () throws(StreamFailure) -> Pieces

    func makeAsyncIterator() -> Iterator {
        do throws(StreamFailure) {
            return Iterator(base: try make().makeAsyncIterator(), fault: fault)
        } catch {
            return Iterator(failure: error, fault: fault)
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Pieces.AsyncIterator?
        var failure: StreamFailure?
        let fault: BodyFault

        mutating func next() async throws(Exchange.Failure) -> Data? {
            if let failure { throw fault.failure(failure) }
            do {
                return try await base?.next()
            } catch {
                throw fault.failure(error)
            }
        }
    }
}
