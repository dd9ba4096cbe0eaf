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
        makeStream = { length, isReplayable, fault in
            Exchange.BodyStream(
                FaultNotingPieces(make: make, fault: fault), length: length,
                isReplayable: isReplayable)
        }
    }

    /// The body as the transport takes it.
    func exchangeBody(_ fault: BodyFault) throws(StreamFailure) -> Exchange.Body {
        try StreamFailure.check(length)
        return .stream(makeStream(length, isReplayable, fault))
    }
}

/// The pieces of a sequence that is made for each iteration, whose error is noted for the task.
private struct FaultNotingPieces<Pieces: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Pieces.Element == Data {
    let make: @Sendable () -> Pieces
    let fault: BodyFault

    func makeAsyncIterator() -> Iterator {
        Iterator(base: make().makeAsyncIterator(), fault: fault)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Pieces.AsyncIterator
        let fault: BodyFault

        mutating func next() async throws(Exchange.Failure) -> Data? {
            do {
                return try await base.next()
            } catch {
                throw fault.failure(error)
            }
        }
    }
}
