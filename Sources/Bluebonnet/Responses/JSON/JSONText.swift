import Foundation

/// A JSON text as UTF-8 without a byte order mark.
struct JSONText {
    var data: Data
    /// What the mark and each unit of the encoding take in the body.
    private let markLength: Int
    private let unitLength: Int

    /// Finds the encoding of a body, which is copied only where it is not UTF-8.
    ///
    /// UTF-16 and UTF-32 tell by their byte order mark, or by the zero bytes around the first
    /// character, which is ASCII in every JSON text.
    init(_ body: Data) throws {
        guard !Self.isPlain(body), let found = Self.encoding([UInt8](body.prefix(4))) else {
            (data, markLength, unitLength) = (body, 0, 1)
            return
        }
        (markLength, unitLength) = (found.markLength, found.unitLength)
        let units = body.dropFirst(markLength)
        guard unitLength > 1 else {
            data = units
            return
        }
        guard let text = TextEncoding.decode(Data(units), as: found.encoding) else {
            let offset = TextEncoding.firstInvalidByte(of: Data(units), in: found.encoding)
            throw JSONResponseSerializer.ParseError(
                byteOffset: offset.map { found.markLength + $0 },
                message: "invalid \(unitLength == 2 ? "UTF-16" : "UTF-32")"
            )
        }
        data = Data(text.utf8)
    }

    /// Whether it begins as only UTF-8 without a mark does.
    private static func isPlain(_ body: Data) -> Bool {
        body.withUnsafeBytes { bytes in
            bytes.count < 2 || (bytes[0] < 0x80 && bytes[0] != 0 && bytes[1] != 0)
        }
    }

    private static func encoding(
        _ start: [UInt8]
    ) -> (encoding: String.Encoding, markLength: Int, unitLength: Int)? {
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3, 1) }
        if start == [0, 0, 0xFE, 0xFF] { return (.utf32BigEndian, 4, 4) }
        if start == [0xFF, 0xFE, 0, 0] { return (.utf32LittleEndian, 4, 4) }
        if start.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2, 2) }
        if start.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2, 2) }
        switch start.map({ $0 == 0 }) {
        case [true, true, true, false]: return (.utf32BigEndian, 0, 4)
        case [false, true, true, true]: return (.utf32LittleEndian, 0, 4)
        case let zeros where zeros[0] && !zeros[1]: return (.utf16BigEndian, 0, 2)
        case let zeros where !zeros[0] && zeros[1]: return (.utf16LittleEndian, 0, 2)
        default: return nil
        }
    }

    /// Scans the text by the grammar of RFC 8259.
    ///
    /// - Throws: ``JSONResponseSerializer/ParseError`` for the first thing that is wrong.
    @discardableResult
    func checkSyntax(maximumDepth: Int) throws -> JSONSyntax.Numbers {
        do {
            return try data.withUnsafeBytes { bytes in
                try JSONSyntax.check(bytes, maximumDepth: maximumDepth)
            }
        } catch let failure as JSONSyntax.Failure {
            throw error(at: failure.offset, failure.message)
        }
    }

    /// The error for a byte of the text, with its place in the body.
    func error(at offset: Int, _ message: String) -> JSONResponseSerializer.ParseError {
        let place: Int
        if unitLength == 1 {
            place = offset
        } else {
            let start = String(decoding: data.prefix(offset), as: UTF8.self)
            let count = unitLength == 2 ? start.utf16.count : start.unicodeScalars.count
            place = count * unitLength
        }
        return JSONResponseSerializer.ParseError(byteOffset: markLength + place, message: message)
    }

    /// Whether a body says nothing: Rails answers `head :ok` with a single space.
    static func isBlank(_ data: Data) -> Bool {
        data.isEmpty || (data.count == 1 && data.first == UInt8(ascii: " "))
    }
}
