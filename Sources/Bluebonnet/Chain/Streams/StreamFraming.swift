import Foundation

/// Where one value of a stream ends and the next begins.
public struct StreamFraming: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case lines(maximumLength: Int)
        case chunk
    }

    let kind: Kind

    /// A value is a line, as of JSON lines.
    ///
    /// It ends with LF or CR LF, which are no part of it, and the last one with the body. Empty lines are passed over.
    /// One of more than 16 MiB fails the request.
    public static let lines = lines(maximumLength: 16 * 1024 * 1024)

    /// A value is a line of at most so many bytes; a longer one fails the request.
    public static func lines(maximumLength: Int) -> StreamFraming {
        StreamFraming(kind: .lines(maximumLength: maximumLength))
    }

    /// A value is whatever comes in one piece, which is up to the network, so that a value can be cut.
    public static let chunk = StreamFraming(kind: .chunk)
}

/// Cuts the pieces of a body into the texts of values.
struct StreamFrames {
    private let kind: StreamFraming.Kind
    /// The beginning of a line whose end has not come.
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

    /// The last frame, behind which no line ends.
    mutating func finish() -> Data? {
        defer { rest = Data() }
        return Self.content(of: rest)
    }

    /// Checks the length of a line, without the CR that may be its last byte so far.
    private func check(_ piece: Data, _ limit: Int) throws(ResponseSerializationError) {
        let count = rest.count + piece.count
        guard count > limit, count > limit + 1 || piece.last ?? rest.last != UInt8(ascii: "\r")
        else { return }
        throw ResponseSerializationError(
            reason: "a line of the stream is longer than \(limit) bytes; raise its maximumLength")
    }

    /// A line without its CR; nil where nothing is left.
    private static func content(of line: Data) -> Data? {
        let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return content.isEmpty ? nil : content
    }
}
