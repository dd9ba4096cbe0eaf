import Foundation

/// A slow reader that reads a chunked body line by line, in a different way from the decoder.
struct ChunkReference {
    enum End {
        /// Complete, after this many bytes of the message.
        case whole(Int)
        /// Cut off; the decoder must accept the bytes if they can be the beginning of a body.
        case cutOff(mayGoOn: Bool)
        case malformed
    }

    private(set) var body: [UInt8] = []
    private(set) var trailer: [[UInt8]] = []
    private(set) var end = End.malformed
    private var rest: ArraySlice<UInt8>

    init(_ message: [UInt8], largestLine: Int) throws {
        rest = message[...]
        end = try readChunks() ?? readTrailer(largestLine)
    }

    /// Reads up to the last chunk, and returns nil if the trailer follows.
    private mutating func readChunks() throws -> End? {
        while true {
            guard let line = takeLine() else { return .cutOff(mayGoOn: try Self.mayGoOn(rest)) }
            guard try Self.isSizeLine(line), let size = Self.size(line) else { return .malformed }
            if size == 0 { return nil }
            let data = rest.prefix(size)
            body += data
            rest = rest.dropFirst(data.count)
            guard data.count == size else { return .cutOff(mayGoOn: true) }
            let lineEnd = rest.prefix(2)
            guard [0x0D, 0x0A].starts(with: lineEnd) else { return .malformed }
            guard lineEnd.count == 2 else { return .cutOff(mayGoOn: true) }
            rest = rest.dropFirst(2)
        }
    }

    private mutating func readTrailer(_ largestLine: Int) -> End {
        while let lineFeed = rest.firstIndex(of: 0x0A) {
            let line = Array(rest[rest.startIndex...lineFeed])
            rest = rest[(lineFeed + 1)...]
            guard line.count <= largestLine + 1, line.suffix(2) == [0x0D, 0x0A] else {
                return .malformed
            }
            if line.count == 2 { return .whole(rest.startIndex) }
            trailer.append(line)
        }
        return rest.count > largestLine ? .malformed : .cutOff(mayGoOn: true)
    }

    /// Returns the bytes before the next CR LF, which is skipped, or nil if there is none.
    private mutating func takeLine() -> [UInt8]? {
        guard
            let end = rest.indices.dropLast().first(where: {
                rest[$0] == 0x0D && rest[$0 + 1] == 0x0A
            })
        else { return nil }
        defer { rest = rest[(end + 2)...] }
        return Array(rest[..<end])
    }

    /// A chunk size with extensions, in which each byte is one character.
    private static let sizeLine = Result {
        let token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
        let quoted = #""(?:[\t !#-\[\]-~\u0080-\u00FF]|\\[\t -~\u0080-\u00FF])*""#
        let value = "(?:[ \\t]*=[ \\t]*(?:\(token)|\(quoted)))?"
        return try NSRegularExpression(
            pattern: "\\A[0-9A-Fa-f]+(?:[ \\t]*;[ \\t]*\(token)\(value))*\\z")
    }

    private static func isSizeLine(_ line: some Sequence<UInt8>) throws -> Bool {
        let text = String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) }))
        let range = NSRange(location: 0, length: text.utf16.count)
        return try sizeLine.get().firstMatch(in: text, range: range) != nil
    }

    /// Returns whether one of a few endings turns the line into a valid size line.
    private static func mayGoOn(_ line: ArraySlice<UInt8>) throws -> Bool {
        if line.isEmpty { return true }
        if line.last == 0x0D, size(line.dropLast()) != nil {
            return try isSizeLine(line.dropLast())
        }
        return try ["", "0", "\"", "0\"", ";a", "=a"].contains {
            let whole = Array(line) + $0.utf8
            return try size(whole) != nil && isSizeLine(whole)
        }
    }

    private static func size(_ line: some Sequence<UInt8>) -> Int? {
        let digits = String(
            decoding: line.prefix { Unicode.Scalar($0).properties.isASCIIHexDigit }, as: UTF8.self)
        let significant = digits.drop { $0 == "0" }
        return significant.isEmpty ? (digits.isEmpty ? nil : 0) : Int(significant, radix: 16)
    }
}
