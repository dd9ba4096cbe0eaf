/// A header field as HPACK writes it, without Huffman's code (RFC 7541 section 6).
public enum HPACKField: Sendable {
    /// A name and a value in full.
    case literal(String, String)
    /// A name and a value in full, which the other side is to remember as entry 62.
    case remembered(String, String)
    /// An entry of the tables, of which those from 62 on are what was remembered.
    case indexed(Int)
    /// A new size of the table that remembers.
    case tableSize(Int)
    /// Bytes as they are.
    case raw([UInt8])

    /// The pseudo field of a response's status.
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

    /// A number in the lowest bits of a byte and, where they do not do, in those that follow
    /// (RFC 7541 section 5.1).
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
