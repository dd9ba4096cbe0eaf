import Foundation
import FoundationNetworking

/// A body that is read ahead, on a thread that may wait, while the loop sends it.
///
/// A megabyte is held at most. The last piece is given out only once its source has said
/// that it is the last: a body that is longer or shorter than announced fails before it is whole.
struct StreamedBody: RequestBody {
    private let stream: Exchange.BodyStream
    private let becomeReady: @Sendable () -> Void
    private var reader: BodyReader
    /// The piece being sent, from `place` on.
    private var piece = Data()
    private var hasGivenAny = false

    /// Calls `becomeReady`, on any thread, when there is something after ``fill(_:)`` found nothing.
    init(_ stream: Exchange.BodyStream, becomeReady: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.becomeReady = becomeReady
        reader = BodyReader(stream, becomeReady: becomeReady)
    }

    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> RequestBodyFill {
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
        // Not `removeFirst`, which copies what is left; and an empty slice would hold the whole.
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
    /// The request must be sent again, and its body cannot.
    package static var bodyStreamIsUsedUp: Self {
        var failure = Self(
            .requestBodyStreamExhausted,
            message: """
                the request must be sent again, and its body stream can be read only once; give \
                the body as data, as a file or as a closure that makes the stream
                """
        )
        failure.needsNewBodyStream = true
        return failure
    }
}
