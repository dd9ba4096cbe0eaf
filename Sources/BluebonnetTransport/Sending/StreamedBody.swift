import Foundation
import FoundationNetworking

/// A body that is read ahead on a queue, where the source can block, while the loop sends it.
///
/// At most about 1 MiB is held. The last piece is sent only after the source has confirmed the end,
/// so a body that is longer or shorter than announced fails before it is sent completely.
struct StreamedBody: OutgoingBody {
    private let stream: Exchange.BodyStream
    private let becomeReady: @Sendable () -> Void
    private var reader: BodyReader
    /// The rest of the piece being sent.
    private var piece = Data()
    private var hasGivenAny = false

    /// Creates a body that calls `becomeReady` when there are bytes after ``fill(_:)`` found none.
    ///
    /// The closure is called on any thread.
    init(_ stream: Exchange.BodyStream, becomeReady: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.becomeReady = becomeReady
        reader = BodyReader(stream, becomeReady: becomeReady)
    }

    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> OutgoingBodyFill {
        if piece.isEmpty {
            switch reader.next() {
            case .piece(let next): piece = next
            case .nothingYet: return .later
            case .end: return .bytes(0)
            case .failure(let failure): return .failed(failure)
            }
        }
        hasGivenAny = true
        let count = min(place.count, piece.count)
        piece.copyBytes(to: place, count: count)
        // `removeFirst` would copy the rest, and an empty slice would retain the whole piece.
        piece = count == piece.count ? Data() : piece.dropFirst(count)
        return .bytes(count)
    }

    mutating func rewind() throws(Exchange.Failure) {
        guard hasGivenAny else { return }
        guard stream.isReplayable else {
            throw .bodyStreamIsUsedUp
        }
        reader.stop()
        reader = BodyReader(stream, becomeReady: becomeReady)
        piece = Data()
        hasGivenAny = false
    }

    func stop() {
        reader.stop()
    }
}

extension Exchange.Failure {
    /// A failure for a request that must be sent again although its body can be read only once.
    package static var bodyStreamIsUsedUp: Self {
        var failure = Self(
            .requestBodyStreamExhausted,
            message: """
                the request must be sent again, but its body stream can be read only once; pass \
                the body as data, as a file or as a closure that creates the stream
                """
        )
        failure.needsNewBodyStream = true
        return failure
    }
}
