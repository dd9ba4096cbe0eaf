import Foundation

/// A request's body on its way to libcurl; it is used on the loop thread alone.
protocol RequestBody {
    /// Puts the next bytes into a place.
    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> RequestBodyFill
    /// Goes back to the first byte; a failure when that is impossible.
    mutating func rewind() throws(Exchange.Failure)
}

/// What there was to put into a place.
enum RequestBodyFill {
    /// So many bytes; none at the end.
    case bytes(Int)
    /// Nothing yet; the loop hears when there is.
    case later
    case failed(Exchange.Failure)
}

/// A body in memory.
struct MemoryBody: RequestBody {
    private let data: Data
    private var sentCount = 0

    init(_ data: Data) {
        self.data = data
    }

    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> RequestBodyFill {
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
