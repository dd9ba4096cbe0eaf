import Foundation
import FoundationNetworking

/// The response of one exchange on its way from libcurl: its head, its framing, and its body.
///
/// It lives on the loop thread.
struct ResponseReceiver: ~Copyable {
    /// What tells where the body of a response ends (RFC 9112 section 6.3).
    enum Framing: Equatable {
        /// There is no body, whatever the head says.
        case none
        case chunks
        case length(Int)
        /// The end of the connection alone.
        case connectionEnd
        /// HTTP/2, or a coding beside which libcurl may go by something else than the length.
        case other
    }

    /// Pieces of a body that are taken in one turn of the loop.
    private static let largestPieceCount = 200

    private var parser: HeadParser
    private(set) var hasHead = false
    /// Takes the body; nil before the head is whole.
    private(set) var body: BodyReceiver?
    /// The length of the body that is still to come, as the head declares it; nil where the body's end
    /// is told otherwise.
    private(set) var awaitedLength: Int?
    /// The length that the head declares, whatever tells the body's end; 0 where there is no body.
    private var declaredLength: Int?
    /// Bytes of the body as they were sent, without the framing of chunks.
    private(set) var wireBytes: Int64 = 0
    /// Bytes that libcurl has handed over, as it counts what it has read of the body.
    private(set) var takenBytes: Int64 = 0
    /// Reads the framing of chunks; nil for other framings.
    private var chunks: ChunkDecoder?
    private let largestTrailer: Int
    /// How many pieces of the body came in a turn.
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
    /// Bytes of the head and the trailers, interim responses included.
    var headerBytes: Int { parser.receivedSize }

    /// The trailer fields so far; nil without any.
    var trailers: [Exchange.Field]? { parser.trailers }

    /// Takes a line of the head.
    mutating func takeHeadLine(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) -> HeadParser.Event {
        try parser.take(line)
    }

    /// Notes that the head is whole.
    mutating func noteHead() {
        hasHead = true
    }

    /// Takes a trailer over HTTP/2, or several that came during a pause, which libcurl glues together.
    mutating func takeTrailers(_ lines: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        var rest = lines
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            _ = try parser.take(UnsafeRawBufferPointer(rebasing: rest[...end]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        if !rest.isEmpty { _ = try parser.take(rest) }
    }

    /// Prepares for the body of a response with this head, and returns what tells where it ends.
    ///
    /// Notes what becomes of its content codings.
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

    /// Whether the response has no body, whatever its head says.
    var isBodiless: Bool { body?.isBodiless == true }
    /// Whether the body waits for the decoder.
    var isDecoding: Bool { body?.isBusy == true }
    /// Bytes of the head and the body as they were sent.
    var size: Int { headerBytes + Int(wireBytes) }
    /// Whether the declared length has come.
    var hasAwaitedLength: Bool { awaitedLength.map { wireBytes >= $0 } ?? false }
    /// Whether a response over HTTP/2 has all that its head declares, though its stream is not at its end.
    var isWholeInOpenStream: Bool {
        isHTTP2 && hasHead && declaredLength.map { wireBytes == $0 } == true
    }
    /// Whether the declared length or the last chunk has come, with its trailer.
    var isWhole: Bool { chunks?.isAtEnd ?? hasAwaitedLength }
    /// Whether its body came in chunks, down to the last.
    var hasWholeChunks: Bool { chunks?.isAtEnd == true }
    /// Whether its body comes in chunks, and the last of them has not.
    var lacksChunks: Bool { chunks?.isAtEnd == false }

    /// Returns whether another piece of the body is taken in this turn of the loop.
    ///
    /// A server that makes chunks of a byte each would keep the loop busy with one packet of them, and
    /// so would one that sends frames of HTTP/2 with a byte each: libcurl reads on as long as there is
    /// something. It keeps what it has read while it waits, and hands it over in large pieces then.
    mutating func takesPiece(inTurnOf now: MonotonicInstant, hasTime: () -> Bool) -> Bool {
        if pieces.turn != now { pieces = (now, 0) }
        pieces.count += 1
        // The first is always taken, or a turn that is late would bring no exchange on.
        return pieces.count == 1 || (pieces.count <= Self.largestPieceCount && hasTime())
    }

    /// Takes bytes of the body, with the framing of chunks, and returns how many of them lie behind
    /// the response's end.
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

    /// The chunks of the body since the last call.
    func takeChunks() -> [Exchange.Chunk] { body?.takeChunks() ?? [] }

    /// Lets go of what the body was taken with.
    mutating func releaseBody() {
        body = nil
    }
}
