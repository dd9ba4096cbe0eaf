import Foundation

/// A JSON text as UTF-8 without a byte order mark, which Foundation reads without a copy.
struct JSONText {
    let data: Data

    /// Finds the encoding of a body.
    ///
    /// UTF-16 and UTF-32 tell by their byte order mark, or by the zero bytes around the first
    /// character, which is ASCII in every JSON text.
    init(_ body: Data) throws {
        let start = [UInt8](body.prefix(4))
        guard start.count >= 2, start[0] >= 0x80 || start[0] == 0 || start[1] == 0 else {
            data = body
            return
        }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            data = Data(body.dropFirst(3))
            return
        }
        guard let (encoding, markLength) = Self.wideEncoding(start) else {
            data = body
            return
        }
        let units = Data(body.dropFirst(markLength))
        guard let text = TextEncoding.decode(units, as: encoding) else {
            throw ResponseSerializationError(reason: "invalid JSON: not valid in \(encoding)")
        }
        data = Data(text.utf8)
    }

    private static func wideEncoding(_ start: [UInt8]) -> (String.Encoding, markLength: Int)? {
        if start == [0, 0, 0xFE, 0xFF] { return (.utf32BigEndian, 4) }
        if start == [0xFF, 0xFE, 0, 0] { return (.utf32LittleEndian, 4) }
        if start.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if start.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        switch start.map({ $0 == 0 }) {
        case [true, true, true, false]: return (.utf32BigEndian, 0)
        case [false, true, true, true]: return (.utf32LittleEndian, 0)
        case let zeros where zeros[0] && !zeros[1]: return (.utf16BigEndian, 0)
        case let zeros where !zeros[0] && zeros[1]: return (.utf16LittleEndian, 0)
        default: return nil
        }
    }

    /// Refuses a comma before a closing bracket, which Foundation on Linux lets pass.
    ///
    /// The text must have been parsed, so that nothing else can be wrong with it.
    func refuseTrailingCommas() throws {
        if let offset = data.withUnsafeBytes({ Self.trailingComma(in: $0) }) {
            let reason = "invalid JSON: trailing comma at byte \(offset)"
            throw ResponseSerializationError(reason: reason)
        }
    }

    private static func trailingComma(in bytes: UnsafeRawBufferPointer) -> Int? {
        var comma: Int?
        var offset = 0
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                comma = nil
                offset += 1
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
                    offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: ","):
                comma = offset
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { return comma }
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                break
            default:
                comma = nil
            }
            offset += 1
        }
        return nil
    }

    /// Foundation's objects for a text in UTF-8.
    @discardableResult
    static func parse(_ data: Data) throws -> Any {
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw ResponseSerializationError(reason: reason(error))
        }
    }

    /// What Foundation says of a text that it refuses, with its places named as what they are.
    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        let detail = error.userInfo[NSDebugDescriptionErrorKey] as? String
        let text = (detail ?? error.localizedDescription)
            .replacingOccurrences(of: "around character", with: "at byte")
            .replacingOccurrences(of: "from character", with: "at byte")
        return "invalid JSON: \(text)"
    }

    /// Whether a body says nothing: Rails answers `head :ok` with a single space.
    static func isBlank(_ data: Data) -> Bool {
        data.isEmpty || (data.count == 1 && data.first == UInt8(ascii: " "))
    }
}
