/// A header field in HPACK encoding, without Huffman coding (RFC 7541 section 6).
public enum HPACKField: Sendable {
    /// A literal name and value.
    case literal(String, String)
    /// A literal name and value that the receiver adds to its dynamic table, as entry 62.
    case remembered(String, String)
    /// An entry of the static table or, from 62 on, of the dynamic table.
    case indexed(Int)
    /// A new size of the dynamic table.
    case tableSize(Int)
    /// Bytes as they are.
    case raw([UInt8])

    /// The pseudo-header field for the status code of a response.
    public static func status(_ status: Int) -> HPACKField { .literal(":status", "\(status)") }

    var bytes: [UInt8] {
        switch self {
        case .literal(let name, let value): [0] + Self.string(name) + Self.string(value)
        case .remembered(let name, let value): [0x40] + Self.string(name) + Self.string(value)
        case .indexed(let index): Self.integer(index, prefix: 7, pattern: 0x80)
        case .tableSize(let size): Self.integer(size, prefix: 5, pattern: 0x20)
        case .raw(let bytes): bytes
        }
    }

    private static func string(_ text: String) -> [UInt8] {
        integer(text.utf8.count, prefix: 7, pattern: 0) + Array(text.utf8)
    }

    /// Returns a number encoded with a prefix of `prefix` bits (RFC 7541 section 5.1).
    static func integer(_ number: Int, prefix: Int, pattern: UInt8) -> [UInt8] {
        let most = 1 << prefix - 1
        guard number >= most else { return [pattern | UInt8(number)] }
        var bytes = [pattern | UInt8(most)]
        var rest = number - most
        while rest >= 128 {
            bytes.append(UInt8(rest % 128) | 0x80)
            rest /= 128
        }
        return bytes + [UInt8(rest)]
    }
}

extension [HPACKField] {
    var bytes: [UInt8] { flatMap(\.bytes) }
}
