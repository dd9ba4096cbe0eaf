import CBluebonnet

/// What libcurl writes about HTTP/2 for a person to read, and reports in no other way.
///
/// If a version of libcurl writes it differently, it is unknown, and less is safe to send again.
enum HTTP2Note: Equatable {
    /// The number of the stream that was opened for the exchange.
    case opened(stream: UInt32)
    /// The last stream that the server may process on the connection of the exchange (RFC 9113
    /// section 6.8).
    ///
    /// One of the exchanges on the connection is told.
    case goAway(lastStream: UInt32)

    /// Reads a line of libcurl's, or returns nil for any other.
    init?(_ line: UnsafeRawBufferPointer) {
        var line = TextScanner(rest: line[...])
        if line.skip("[HTTP/2] ["), let stream = line.number(), line.skip("] OPENED stream") {
            self = .opened(stream: stream)
        } else if line.skip("received GOAWAY, error="), line.number() != nil,
            line.skip(", last_stream="), let stream = line.number()
        {
            self = .goAway(lastStream: stream)
        } else {
            return nil
        }
    }
}

private struct TextScanner {
    var rest: Slice<UnsafeRawBufferPointer>

    /// Skips a text, and returns false if something else is next.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard rest.count >= count,
            rest.prefix(count).elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: count))
        else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// Skips a number and returns it, or returns nil if there is none or it is too large.
    mutating func number() -> UInt32? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return UInt32(String(decoding: digits, as: UTF8.self))
    }
}
