/// A JSON reader that follows the grammar of RFC 8259 production by production.
struct JSONReference {
    indirect enum Value {
        case null
        case bool(Bool)
        case number(String)
        case string([UInt8])
        case array([Value])
        case object([(key: [UInt8], value: Value)])
    }

    /// The error for a text that is not JSON or exceeds a limit.
    struct Refused: Error {}

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var place = 0

    static func value(of bytes: [UInt8], maximumDepth: Int) throws(Refused) -> Value {
        guard case .scalars = UnicodeReference.utf8(bytes) else { throw Refused() }
        var reader = JSONReference(bytes: bytes, maximumDepth: maximumDepth)
        let value = try reader.element(0)
        guard reader.place == bytes.count else { throw Refused() }
        return value
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        (self.bytes, self.maximumDepth) = (bytes, maximumDepth)
    }

    private mutating func element(_ depth: Int) throws(Refused) -> Value {
        skipSpace()
        let value = try value(depth)
        skipSpace()
        return value
    }

    private mutating func value(_ depth: Int) throws(Refused) -> Value {
        switch peek {
        case "{": return .object(try object(depth + 1))
        case "[": return .array(try array(depth + 1))
        case "\"": return .string(try string())
        case "t": return try word("true", .bool(true))
        case "f": return try word("false", .bool(false))
        case "n": return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(
        _ depth: Int
    ) throws(Refused) -> [(key: [UInt8], value: Value)] {
        try enter(depth)
        skipSpace()
        var members: [(key: [UInt8], value: Value)] = []
        if take("}") { return members }
        repeat {
            skipSpace()
            let key = try string()
            guard !Self.hasTooManyMarks(key) else { throw Refused() }
            skipSpace()
            guard take(":") else { throw Refused() }
            members.append((key, try element(depth)))
        } while take(",")
        guard take("}") else { throw Refused() }
        return members
    }

    /// Returns whether a key has more consecutive combining marks than are allowed.
    private static func hasTooManyMarks(_ key: [UInt8]) -> Bool {
        let marks = String(decoding: key, as: UTF8.self).unicodeScalars.split { scalar in
            scalar.properties.canonicalCombiningClass == .notReordered
                && ![0xF73, 0xF75, 0xF81].contains(scalar.value)
        }
        return marks.contains { $0.count > 128 }
    }

    private mutating func array(_ depth: Int) throws(Refused) -> [Value] {
        try enter(depth)
        skipSpace()
        var elements: [Value] = []
        if take("]") { return elements }
        repeat { elements.append(try element(depth)) } while take(",")
        guard take("]") else { throw Refused() }
        return elements
    }

    private mutating func enter(_ depth: Int) throws(Refused) {
        guard depth <= maximumDepth else { throw Refused() }
        place += 1
    }
}

extension JSONReference {
    private mutating func string() throws(Refused) -> [UInt8] {
        guard take("\"") else { throw Refused() }
        var result: [UInt8] = []
        while !take("\"") {
            guard let byte = peek?.value, byte >= 0x20 else { throw Refused() }
            place += 1
            if byte == UInt32(UInt8(ascii: "\\")) {
                result += Array(String(Character(try escape())).utf8)
            } else {
                result.append(UInt8(byte))
            }
        }
        return result
    }

    private mutating func escape() throws(Refused) -> Unicode.Scalar {
        let plain: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r",
            "t": "\t",
        ]
        guard let letter = peek else { throw Refused() }
        place += 1
        if let scalar = plain[letter] { return scalar }
        guard letter == "u" else { throw Refused() }
        var value = try unit()
        if (0xD800..<0xDC00).contains(value) {
            guard take("\\"), take("u") else { throw Refused() }
            let low = try unit()
            guard (0xDC00..<0xE000).contains(low) else { throw Refused() }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw Refused() }
        return scalar
    }

    private mutating func unit() throws(Refused) -> UInt32 {
        let digits = bytes[place...].prefix(4)
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 4, !"+-".contains(text.prefix(1)), let unit = UInt32(text, radix: 16)
        else { throw Refused() }
        place += 4
        return unit
    }

    private mutating func number() throws(Refused) -> String {
        let start = place
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw Refused() }
        return text
    }

    private mutating func digits() throws(Refused) {
        let start = place
        while let digit = peek, ("0"..."9").contains(digit) { place += 1 }
        guard place > start else { throw Refused() }
    }

    private mutating func word(_ word: String, _ value: Value) throws(Refused) -> Value {
        guard bytes[place...].starts(with: word.utf8) else { throw Refused() }
        place += word.utf8.count
        return value
    }

    private var peek: Unicode.Scalar? { place < bytes.count ? Unicode.Scalar(bytes[place]) : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, " \t\n\r".unicodeScalars.contains(byte) { place += 1 }
    }
}
