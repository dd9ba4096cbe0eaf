/// Reads JSON strictly by RFC 8259, and reports the line of a fault.
///
/// Duplicate keys in an object, text that is not UTF-8, and deep nesting are faults too.
struct CassetteJSONReader {
    struct Fault: Error {
        let line: Int
        let message: String
    }

    private let bytes: [UInt8]
    private let depthLimit: Int
    private var place = 0
    private var line = 1

    private init(_ bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    /// Reads a text that consists of one value.
    static func read(
        _ bytes: some Sequence<UInt8>, depthLimit: Int = 128
    ) throws(Fault) -> JSONValue {
        var reader = Self(Array(bytes), depthLimit: depthLimit)
        try reader.checkEncoding()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.next == nil else {
            throw reader.fault("\(reader.nextShown) follows the end of the JSON text")
        }
        return value
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        skipSpace()
        let (start, line) = (place, line)
        let content: JSONValue.Content
        switch next {
        case UInt8(ascii: "{"): content = .object(try members(depth: try deeper(depth)))
        case UInt8(ascii: "["): content = .array(try elements(depth: try deeper(depth)))
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
            content = .literal(try number())
        case nil: throw truncated("a value")
        default: content = .literal(try word())
        }
        return JSONValue(content: content, line: line, range: start..<place)
    }

    private func deeper(_ depth: Int) throws(Fault) -> Int {
        guard depth < depthLimit else {
            throw fault("arrays and objects are nested more than \(depthLimit) deep")
        }
        return depth + 1
    }

    private mutating func members(depth: Int) throws(Fault) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var keys: Set<[UInt8]> = []
        try list(until: UInt8(ascii: "}"), of: "an object") { reader throws(Fault) in
            guard reader.next == UInt8(ascii: "\"") else {
                throw reader.unexpected("a key in quotes")
            }
            let line = reader.line
            let key = try reader.string()
            guard keys.insert(Array(key.text.utf8)).inserted else {
                throw Fault(line: line, message: "the key \(key.token) occurs twice in its object")
            }
            reader.skipSpace()
            guard reader.next == UInt8(ascii: ":") else {
                throw reader.unexpected("a colon after the key \(key.token)")
            }
            reader.place += 1
            members.append(.init(key: key, line: line, value: try reader.value(depth: depth)))
        }
        return members
    }

    private mutating func elements(depth: Int) throws(Fault) -> [JSONValue] {
        var elements: [JSONValue] = []
        try list(until: UInt8(ascii: "]"), of: "an array") { reader throws(Fault) in
            elements.append(try reader.value(depth: depth))
        }
        return elements
    }

    private mutating func list(
        until end: UInt8, of kind: String, _ readPart: (inout Self) throws(Fault) -> Void
    ) throws(Fault) {
        place += 1
        skipSpace()
        if next == end {
            place += 1
            return
        }
        while true {
            skipSpace()
            try readPart(&self)
            skipSpace()
            switch next {
            case UInt8(ascii: ","): place += 1
            case end:
                place += 1
                return
            default: throw unexpected("a comma or the end of \(kind)")
            }
        }
    }

    private mutating func word() throws(Fault) -> String {
        for word in ["true", "false", "null"] where bytes[place...].starts(with: word.utf8) {
            place += word.utf8.count
            return word
        }
        throw unexpected("a value")
    }

    private mutating func number() throws(Fault) -> String {
        let start = place
        take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try takeDigits() }
        if take(UInt8(ascii: ".")) { try takeDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { take(UInt8(ascii: "-")) }
            try takeDigits()
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func takeDigits() throws(Fault) {
        let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { throw unexpected("a digit") }
        place += digits.count
    }

    private mutating func string() throws(Fault) -> JSONString {
        let start = place
        place += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else {
                throw fault("a string contains a control character or a line break; escape it")
            }
            place += 1
            if byte == UInt8(ascii: "\\") { try takeEscape() }
        }
        guard next != nil else { throw truncated("the end of a string") }
        place += 1
        return JSONString(token: String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func takeEscape() throws(Fault) {
        guard let kind = next else { throw truncated("the end of a string") }
        guard #""\/bfnrtu"#.utf8.contains(kind) else {
            throw fault("a string contains an escape that JSON does not have: \\\(nextShown)")
        }
        place += 1
        guard kind == UInt8(ascii: "u") else { return }
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 })
        else { throw fault("\\u in a string is not followed by four hexadecimal digits") }
        place += 4
    }

    // MARK: Bytes

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    @discardableResult
    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, " \t\r\n".utf8.contains(byte) {
            if byte == UInt8(ascii: "\n") { line += 1 }
            place += 1
        }
    }

    private func checkEncoding() throws(Fault) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let number = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw Fault(line: number + 1, message: "the text is not UTF-8")
    }

    // MARK: Faults

    private func fault(_ message: String) -> Fault { Fault(line: line, message: message) }

    private func unexpected(_ wanted: String) -> Fault {
        next == nil ? truncated(wanted) : fault("expected \(wanted), but found \(nextShown)")
    }

    private func truncated(_ wanted: String) -> Fault {
        fault("the text is truncated: expected \(wanted)")
    }

    /// The next character, in the form that errors show.
    private var nextShown: String {
        let text = String(decoding: bytes[place...].prefix(16), as: UTF8.self)
        guard let character = text.unicodeScalars.first else { return "nothing" }
        return character.isASCII && character.value >= 0x20 && character.value != 0x7F
            ? "\(character)" : "U+\(String(character.value, radix: 16, uppercase: true))"
    }
}
