/// Functions that write the JSON forms of the built-in routes.
enum JSONText {
    static func string(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        bytes.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += Array((byte < 0x10 ? "\\u000" : "\\u00").utf8) + Array(digits.utf8)
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns an object with these members, whose values must already be JSON texts.
    static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(string($0)):\($1)" }.joined(separator: ",") + "}"
    }
}
