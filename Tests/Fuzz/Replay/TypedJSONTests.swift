import BluebonnetTestSupport
import Testing

@Suite("Typed JSON compared with the toolchain's decoder")
struct TypedJSONTests {
    @Test("random texts give the same values or fail in the same way", arguments: 0..<8)
    func random(part: UInt64) {
        var texts = RandomJSON(seed: 0x39 &+ part)
        for number in 0..<500 {
            let type = UInt8(truncatingIfNeeded: number)
            let input = [type] + texts.bytes(17) + texts.text()
            #expect(throws: Never.self, "\(input)") { try TypedJSONProperty.check(input) }
        }
    }
}

/// A generator of JSON texts, most of them valid, with everything that can mislead decoders.
private struct RandomJSON {
    private var random: SeededGenerator

    private static let keys = [
        "a", "b", "a", "b", "userName", "user_name", "é", "e\u{301}", "K", "\u{212A}", "super", "x",
        "y", "", "1", "2", "01", "date", "member", "members", "url", "data", "price", "f", "choice",
        "none", "\\u0061", "_0", "a_b", "__", "USER_name", "user__name", "_user_name_", "k1",
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "127", "128", "-129", "255", "256", "65535", "65536", "1.0", "1.5",
        "100e-2", "1e3", "-0.0", "0.0", "0e5", "1e-400", "1e400", "1e300", "1e-300", "1e-310",
        "1e-40",
        "1e-60", "3.4028235e38", "3.4028236e38", "9007199254740993.0", "9007199254740992",
        "9007199254740993", "4503599627370497.5", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "123456789012345678901e-5", "1e18", "1e19", "16777217",
        "16777217.0",
        "16777216.99999999999999", "1.00000005960464477539", "1.000000059604644775390625",
        "1.0000000596046447753906251", "7.038531e-26", "0.1", "123.456", "1.7976931348623157e308",
        "4.9e-324", "2.4703282292062328e-324", "12345678901234567890123456789012345678",
        "0.12345678901234567890123456789012345678", "1e-130", "1e127", "99999999999999999999e107",
        "0.30000000000000004", "1E+2", "1e0", "-1e-1",
    ]
    private static let texts = [
        "", "a", "b", "none", "user_name", "inf", "-inf", "nan", "2024-02-29T12:00:00Z",
        "2024-02-30T12:00:00Z", "2024-02-29", "eA==", "eA", "eHh4", "http://example.com/a b",
        "http://[", "1", "1.5", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "😀", "é", "\\n\\t\\\"",
        "\\/\\\\", "null", "true", "long text that is not kept in place", "-0",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    mutating func text() -> [UInt8] {
        if chance(40) { return Array(wide().utf8) }
        var text = Array(space().utf8) + Array(value(depth: 0).utf8)
        guard chance(12), !text.isEmpty else { return text }
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.remove(at: place)
        case 1: text.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
        default: text.insert(UInt8(ascii: ","), at: place)
        }
        return text
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    private mutating func pick(_ texts: [String]) -> String {
        texts.randomElement(using: &random) ?? ""
    }

    private mutating func space() -> String { chance(10) ? pick([" ", "\n", "\t", "\r\n"]) : "" }

    private mutating func value(depth: Int) -> String {
        let kind = Int.random(in: 0..<(depth > 4 ? 5 : 12), using: &random)
        switch kind {
        case 0: return "null"
        case 1: return pick(["true", "false"])
        case 2, 3: return pick(Self.numbers)
        case 4: return "\"\(pick(Self.texts))\""
        case 5, 6, 7:
            let elements = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                space() + value(depth: depth + 1) + space()
            }
            return "[\(elements.joined(separator: ","))]"
        case 8: return list()
        default:
            let members = (0..<Int.random(in: 0..<7, using: &random)).map { _ in
                "\(space())\"\(pick(Self.keys))\"\(space()):\(value(depth: depth + 1))\(space())"
            }
            return "{\(members.joined(separator: ","))}"
        }
    }

    /// Returns an array of elements of one kind, like most arrays.
    private mutating func list() -> String {
        let texts = chance(2)
        let elements = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
            texts ? "\"\(pick(Self.texts))\"" : pick(Self.numbers)
        }
        return "[\(elements.joined(separator: ","))]"
    }

    private mutating func wide() -> String {
        let members = (0..<Int.random(in: 30..<200, using: &random)).map { _ in
            "\"k\(Int.random(in: 0..<90, using: &random))\":\(Int.random(in: 0..<9, using: &random))"
        }
        return "{\(members.joined(separator: ","))}"
    }
}
