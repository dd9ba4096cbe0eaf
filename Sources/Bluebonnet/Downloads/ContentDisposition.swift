import BluebonnetTransport
import Foundation

/// The file names in a `Content-Disposition` field (RFC 6266), as the server wrote them.
struct ContentDisposition: Sendable {
    /// The decoded value of `filename*`; nil if it is missing or invalid.
    private(set) var extendedFilename: String?
    /// The value of `filename`, taken literally: percent escapes are not decoded.
    private(set) var filename: String?

    /// Parses a field up to its first syntax error; the first valid value of a parameter counts.
    init(_ text: String) {
        // Parsed by scalars: a quote followed by a combining mark is a different Character.
        var rest = text.unicodeScalars[...]
        // The disposition type does not matter: an inline body can be saved as well.
        rest = rest.drop { $0 != ";" }
        while rest.popFirst() == ";" {
            rest = rest.withoutLeadingSpace
            // RFC 9110 section 5.6.6 allows empty parameters.
            if rest.first == ";" || rest.isEmpty { continue }
            guard let (name, value) = Self.parameter(&rest) else { return }
            switch String(name).lowercased() {
            case "filename*" where extendedFilename == nil:
                extendedFilename = Self.decode(value)
            case "filename" where filename == nil: filename = value
            default: break
            }
            rest = rest.withoutLeadingSpace
        }
    }

    private typealias Scalars = Substring.UnicodeScalarView

    private static func parameter(_ rest: inout Scalars) -> (name: Scalars, value: String)? {
        let name = rest.prefix { $0.isTokenScalar }
        rest = rest.dropFirst(name.count).withoutLeadingSpace
        guard !name.isEmpty, rest.popFirst() == "=" else { return nil }
        rest = rest.withoutLeadingSpace
        if rest.first == "\"" { return quotedString(&rest).map { (name, $0) } }
        // Some servers omit required quotes, so only a semicolon ends an unquoted value.
        let value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count)
        return (name, String(String(value).trimmed))
    }

    private static func quotedString(_ rest: inout Scalars) -> String? {
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(value)
            case "\\":
                guard let quoted = rest.popFirst() else { return nil }
                value.append(quoted)
            default: value.append(scalar)
            }
        }
        return nil
    }

    /// Decodes charset, language and percent-encoded bytes (RFC 8187 section 3.2).
    private static func decode(_ text: String) -> String? {
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = percentDecoded(Substring(parts[2])) else { return nil }
        switch String(parts[0]).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return TextEncoding.decode(Data(bytes), as: .isoLatin1)
        default: return nil
        }
    }

    private static func percentDecoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let high = rest.removeFirst().hexadecimalValue,
                let low = rest.removeFirst().hexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var withoutLeadingSpace: Self { drop { $0 == " " || $0 == "\t" } }
}

extension Unicode.Scalar {
    fileprivate var isTokenScalar: Bool { isASCII && UInt8(value).isTokenByte }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
