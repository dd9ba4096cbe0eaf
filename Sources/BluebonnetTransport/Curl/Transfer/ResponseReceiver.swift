import Foundation
import FoundationNetworking

/// The response of one exchange as it is received: its head, its framing, and its body.
///
/// Used only on the loop thread.
struct ResponseReceiver: ~Copyable {
    /// How the end of a response's body is determined (RFC 9112 section 6.3).
    enum Framing: Equatable {
        /// There is no body, regardless of the head.
        case none
        case chunks
        case length(Int)
        /// Only the end of the connection ends the body.
        case connectionEnd
        /// HTTP/2, or a transfer coding with which libcurl may ignore the length.
        case other
    }

    /// The maximum number of pieces of a body that are received in one turn of the loop.
    private static let largestPieceCount = 200

    private var parser: HeadParser
    private(set) var hasHead = false
    /// The receiver of the body, or nil before the head is complete.
    private(set) var body: BodyReceiver?
    /// The length that the head declares, or nil if something else determines the body's end.
    private(set) var awaitedLength: Int?
    /// The length that the head declares, even if something else determines the body's end, or 0
    /// without a body.
    private var declaredLength: Int?
    /// The bytes of the body as they were sent, without the framing of chunks.
    private(set) var wireBytes: Int64 = 0
    /// The bytes that libcurl has delivered, in the same count as the bytes it has read of the
    /// body.
    private(set) var takenBytes: Int64 = 0
    /// The decoder of the framing of chunks, or nil for other framings.
    private var chunks: ChunkDecoder?
    private let largestTrailer: Int
    /// The number of pieces of the body that arrived in a turn.
    private var pieces: (turn: MonotonicInstant, count: Int)

    init(terms: Exchange.Terms, now: MonotonicInstant) {
        parser = HeadParser(terms: terms)
        largestTrailer = terms.limits.trailerSize
        pieces = (now, 0)
    }

    // MARK: The head

    var isHTTP2: Bool { parser.isHTTP2 }
    var version: HeadParser.Version? { parser.version }
    var protocolVersion: String { parser.protocolVersion }
    /// The bytes of the head and the trailers, including interim responses.
    var headerBytes: Int { parser.receivedSize }

    /// The trailer fields so far, or nil if there are none.
    var trailers: [Exchange.Field]? { parser.trailers }

    /// Takes a line of the head.
    mutating func takeHeadLine(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) -> HeadParser.Event {
        try parser.take(line)
    }

    /// Records that the head is complete.
    mutating func noteHead() {
        hasHead = true
    }

    /// Takes a trailer field over HTTP/2, or several that libcurl joined because they arrived
    /// during a pause.
    mutating func takeTrailers(_ lines: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        var rest = lines
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            _ = try parser.take(UnsafeRawBufferPointer(rebasing: rest[...end]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        if !rest.isEmpty { _ = try parser.take(rest) }
    }

    /// Prepares for the body of a response with this head, and returns how its end is determined.
    ///
    /// Stores in `codings` how the body's content codings are handled.
    mutating func beginBody(
        _ head: Exchange.Head, of exchange: borrowing Exchange,
        noting codings: inout Exchange.ContentCodings?
    ) throws(Exchange.Failure) -> Framing {
        let body = try BodyReceiver(head: head, exchange: exchange)
        codings = body.codings
        self.body = body
        declaredLength = body.isBodiless ? 0 : head.declaredLength
        let framing = framing(of: head, isBodiless: body.isBodiless)
        switch framing {
        case .length(let length): awaitedLength = length
        case .chunks: chunks = ChunkDecoder(largestLine: largestTrailer)
        case .none, .connectionEnd, .other: break
        }
        return framing
    }

    private func framing(of head: Exchange.Head, isBodiless: Bool) -> Framing {
        if isHTTP2 { return .other }
        if isBodiless { return .none }
        if head.isChunked { return .chunks }
        guard let length = head.declaredLength else { return .connectionEnd }
        return head.block.has(.transferEncoding) ? .other : .length(length)
    }

    // MARK: The body

    /// Whether the response has no body, regardless of its head.
    var isBodiless: Bool { body?.isBodiless == true }
    /// Whether the body waits for the decoder.
    var isDecoding: Bool { body?.isBusy == true }
    /// The bytes of the head and the body as they were sent.
    var size: Int { headerBytes + Int(wireBytes) }
    /// Whether the declared length has arrived.
    var hasAwaitedLength: Bool { awaitedLength.map { wireBytes >= $0 } ?? false }
    /// Whether an HTTP/2 response has everything that its head declares, although its stream has
    /// not ended.
    var isWholeInOpenStream: Bool {
        isHTTP2 && hasHead && declaredLength.map { wireBytes == $0 } == true
    }
    /// Whether the declared length has arrived, or the last chunk and its trailer.
    var isWhole: Bool { chunks?.isAtEnd ?? hasAwaitedLength }
    /// Whether the body is chunked and has arrived down to the last chunk.
    var hasWholeChunks: Bool { chunks?.isAtEnd == true }
    /// Whether the body is chunked and the last chunk has not arrived.
    var lacksChunks: Bool { chunks?.isAtEnd == false }

    /// Returns whether another piece of the body is received in this turn of the loop.
    ///
    /// A server that sends chunks or HTTP/2 frames of one byte each would otherwise keep the loop
    /// busy, because libcurl reads on as long as there is data. While it is paused, libcurl keeps
    /// what it has read, and later delivers it in large pieces.
    mutating func takesPiece(inTurnOf now: MonotonicInstant, hasTime: () -> Bool) -> Bool {
        if pieces.turn != now { pieces = (now, 0) }
        pieces.count += 1
        // The first piece is always received, or no exchange would make progress in a late turn.
        return pieces.count == 1 || (pieces.count <= Self.largestPieceCount && hasTime())
    }

    /// Takes bytes of the body, with the framing of chunks, and returns how many of them follow the
    /// response's end.
    mutating func takeBody(
        _ piece: UnsafeRawBufferPointer, into body: BodyReceiver
    ) throws(Exchange.Failure) -> Int {
        guard var chunks else {
            wireBytes += Int64(piece.count)
            takenBytes = wireBytes
            try body.take(piece)
            return 0
        }
        let before = wireBytes
        defer {
            self.chunks = chunks
            takenBytes +=
                LibcurlQuirks.current.countsChunkFraming ? Int64(piece.count) : wireBytes - before
        }
        let count = try chunks.take(piece) { data throws(Exchange.Failure) in
            wireBytes += Int64(data.count)
            try body.take(data)
        } trailer: { line throws(Exchange.Failure) in
            _ = try parser.take(line)
        }
        return piece.count - count
    }

    /// Returns the chunks of the body since the last call.
    func takeChunks() -> [Exchange.Chunk] { body?.takeChunks() ?? [] }

    /// Releases the receiver of the body.
    mutating func releaseBody() {
        body = nil
    }
}
