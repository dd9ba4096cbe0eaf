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
    /// Bytes of the body as they were sent.
    private(set) var wireBytes: Int64 = 0
    /// What chunks take of the connection; nil for other framings.
    private var chunkOverhead: ChunkOverhead?
    /// How many pieces of the body came in a turn.
    private var pieces: (turn: MonotonicInstant, count: Int)

    init(terms: Exchange.Terms, now: MonotonicInstant) {
        parser = HeadParser(terms: terms)
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

    /// Takes a trailer, or several that came during a pause, which libcurl glues together.
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
    /// Notes what becomes of its content codings, of unknown ones too, which are a failure.
    mutating func beginBody(
        _ head: Exchange.Head, of exchange: borrowing Exchange, at now: MonotonicInstant,
        noting codings: inout Exchange.ContentCodings?
    ) throws(Exchange.Failure) -> Framing {
        let body: BodyReceiver
        do throws(Exchange.Failure) {
            body = try BodyReceiver(head: head, exchange: exchange)
        } catch {
            codings = head.unknownCodings(behind: error)
            throw error
        }
        codings = body.codings
        self.body = body
        let framing = framing(of: head, isBodiless: body.isBodiless)
        switch framing {
        case .length(let length): awaitedLength = length
        case .chunks: chunkOverhead = ChunkOverhead(from: now)
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
    /// Whether its body comes in chunks.
    var isChunked: Bool { chunkOverhead != nil }

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

    /// Counts bytes of the body as they were sent.
    mutating func countBody(_ count: Int) {
        wireBytes += Int64(count)
    }

    /// Returns whether the connection is due for a look at what its chunks take.
    mutating func isChunkCheckDue(at now: MonotonicInstant) -> Bool {
        chunkOverhead?.isDue(at: now) == true
    }

    /// Returns whether the chunks take far too much of the connection for what they hold.
    ///
    /// What libcurl keeps of the body has come as well, and counts.
    mutating func hasExcessiveChunks(
        on socket: Int32, keptBytes: Int64, at now: MonotonicInstant
    ) -> Bool {
        let bodyBytes = wireBytes + keptBytes
        return chunkOverhead?.isExcessive(on: socket, bodyBytes: bodyBytes, at: now) == true
    }

    /// The chunks of the body since the last call.
    func takeChunks() -> [Exchange.Chunk] { body?.takeChunks() ?? [] }

    /// Lets go of what the body was taken with.
    mutating func releaseBody() {
        body = nil
    }
}
