import Foundation

/// The rule that divides a stream into values.
public struct StreamFraming: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case lines(maximumLength: Int)
        case chunk
    }

    let kind: Kind

    /// Each line is a value, as in JSON Lines.
    ///
    /// A line ends with LF or CR LF, which are not part of the value. The last line can also end
    /// with the body. Empty lines are skipped. A line of more than 16 MiB fails the request.
    public static let lines = lines(maximumLength: 16 * 1024 * 1024)

    /// Each line is a value; a line of more than `maximumLength` bytes fails the request.
    public static func lines(maximumLength: Int) -> StreamFraming {
        StreamFraming(kind: .lines(maximumLength: maximumLength))
    }

    /// Each received piece is a value.
    ///
    /// The network determines the size of a piece, so a value can be split.
    public static let chunk = StreamFraming(kind: .chunk)
}

/// Divides the pieces of a body into frames.
struct StreamFrames {
    private let kind: StreamFraming.Kind
    /// The start of an incomplete line.
    private var rest = Data()

    init(_ framing: StreamFraming) {
        kind = framing.kind
    }

    /// Adds the frames that a piece completes.
    mutating func add(
        _ piece: Data, to frames: inout [Data]
    ) throws(ResponseSerializationError) {
        guard case .lines(let maximumLength) = kind else {
            if !piece.isEmpty { frames.append(piece) }
            return
        }
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            try check(piece[start..<end], maximumLength)
            if let content = Self.content(of: rest + piece[start..<end]) { frames.append(content) }
            rest = Data()
            start = end + 1
        }
        try check(piece[start...], maximumLength)
        rest += piece[start...]
    }

    /// Returns the last frame, if the body does not end with a line ending.
    mutating func finish() -> Data? {
        defer { rest = Data() }
        return Self.content(of: rest)
    }

    /// Checks the length of a line so far; a final CR does not count, because an LF can follow.
    private func check(_ piece: Data, _ limit: Int) throws(ResponseSerializationError) {
        let count = rest.count + piece.count
        guard count > limit, count > limit + 1 || piece.last ?? rest.last != UInt8(ascii: "\r")
        else { return }
        throw ResponseSerializationError(
            reason: "a line of the stream is longer than \(limit) bytes; increase maximumLength")
    }

    /// Returns a line without its CR; nil if it is empty.
    private static func content(of line: Data) -> Data? {
        let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return content.isEmpty ? nil : content
    }
}
