import Foundation

/// The body of a request, which libcurl reads on the loop thread alone.
protocol OutgoingBody {
    /// Writes the next bytes to a buffer.
    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> OutgoingBodyFill
    /// Goes back to the first byte, or throws if that is impossible.
    mutating func rewind() throws(Exchange.Failure)
}

/// The result of filling a buffer with bytes of a body.
enum OutgoingBodyFill {
    /// The number of bytes written, 0 at the end.
    case bytes(Int)
    /// No bytes yet. The body notifies the loop when it has more.
    case later
    case failed(Exchange.Failure)
}

/// A body in memory.
struct MemoryBody: OutgoingBody {
    private let data: Data
    private var sentCount = 0

    init(_ data: Data) {
        self.data = data
    }

    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> OutgoingBodyFill {
        let count = min(place.count, data.count - sentCount)
        let start = data.startIndex + sentCount
        data.copyBytes(to: place, from: start..<(start + count))
        sentCount += count
        return .bytes(count)
    }

    mutating func rewind() {
        sentCount = 0
    }
}
