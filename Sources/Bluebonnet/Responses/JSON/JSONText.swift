import Foundation

/// A JSON text as UTF-8 without a byte order mark.
package struct JSONText {
    package var data: Data
    /// The lengths in bytes of the body's byte order mark and of one code unit of its encoding.
    private let markLength: Int
    private let unitLength: Int

    /// Detects the encoding of a body, and converts the body unless it is UTF-8.
    ///
    /// UTF-16 and UTF-32 are recognized by their byte order mark, or by the zero bytes around the
    /// first character, which is ASCII in every JSON text.
    package init(_ body: Data) throws {
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

    /// Whether the first two bytes are possible only in UTF-8 without a byte order mark.
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

    /// Returns the text in UTF-8.
    ///
    /// - Throws: An error unless it is valid JSON.
    package func checked(maximumDepth: Int) throws -> Data {
        _ = try checkSyntax(maximumDepth: maximumDepth)
        return data
    }

    /// Scans the text by the grammar of RFC 8259.
    ///
    /// - Throws: A ``JSONResponseSerializer/ParseError`` for the first error.
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

    /// Returns an error for an offset in the text, converted to an offset in the body.
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

    /// Whether a body is empty or a single space, which Rails sends for `head :ok`.
    static func isBlank(_ data: Data) -> Bool {
        data.isEmpty || (data.count == 1 && data.first == UInt8(ascii: " "))
    }
}
