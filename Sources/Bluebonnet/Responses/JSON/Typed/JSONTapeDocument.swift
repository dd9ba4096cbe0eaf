import Foundation

/// A text that simdjson has parsed, and the state that all its decoders share.
///
/// A type can keep a decoder after `init(from:)`, so each decoder holds the document. A document is
/// for use by one thread at a time.
final class JSONTapeDocument {
    let tape: JSONTape
    let options: JSONDecodingOptions
    /// The parser that owns the tape's memory.
    let parser: JSONParser
    private let text: Data
    /// The coding path of the document's root.
    private let basePath: [any CodingKey]
    private let search: KeySearch
    /// Whether keys match only if their bytes are equal; names that are not ASCII are an exception.
    private let comparesBytes: Bool
    private lazy var index = KeyIndex(
        tape, convertsFromSnakeCase: options.convertsFromSnakeCase)
    /// The document whose memory this one shares, if this one stands for a missing value.
    private let owner: JSONTapeDocument?
    private var largeCounts: [Int: Int] = [:]
    private lazy var path = TapePath(tape, index)
    private lazy var numbers = NumberTexts(tape, text)
    private lazy var hasNegativeZero = Self.hasNegativeZero(text)
    private lazy var decoder = JSONDecoder()

    /// Creates a document; nil if a key would take too long to hash.
    init?(
        _ tape: JSONTape, of text: Data, _ parser: JSONParser, _ options: JSONDecodingOptions
    ) {
        self.tape = tape
        self.text = text
        self.parser = parser
        self.options = options
        basePath = []
        owner = nil
        var isASCII = true
        if Self.mayHaveForeignKeys(text) {
            let keys = ForeignKeys(in: tape)
            if keys.areTooMarked { return nil }
            isASCII = !keys.isAny
        }
        comparesBytes = isASCII && !options.convertsFromSnakeCase
        search = KeySearch(
            tape: tape, hints: parser.hints, documentNumber: parser.documentNumber)
    }

    /// Creates a document for a missing value; its index 0, the start of the tape, decodes as null.
    private init(missingIn owner: JSONTapeDocument, at path: [any CodingKey]) {
        tape = owner.tape
        text = owner.text
        parser = owner.parser
        options = owner.options
        search = owner.search
        comparesBytes = owner.comparesBytes
        basePath = path
        self.owner = owner
    }

    /// Returns a decoder that decodes null for a missing value.
    func missingValue(at path: [any CodingKey]) -> JSONTapeDecoder {
        JSONTapeDecoder(JSONTapeDocument(missingIn: self, at: path), at: 0, depth: 0)
    }

    // MARK: Values

    /// Decodes a value of any type; `depth` is the number of arrays and objects that contain it.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, at index: Int, depth: Int) throws -> T {
        // The compiler usually resolves these checks. Each value is cast to its own type.
        if T.self == String.self { return unsafeBitCast(try string(at: index), to: T.self) }
        if T.self == Int.self { return unsafeBitCast(try integer(Int.self, at: index), to: T.self) }
        if T.self == Double.self { return unsafeBitCast(try double(at: index), to: T.self) }
        if T.self == Bool.self { return unsafeBitCast(try bool(at: index), to: T.self) }
        guard let direct = parser.directTypes.form(of: type, Self.direct) else {
            return try T(from: JSONTapeDecoder(self, at: index, depth: depth))
        }
        return try decode(direct, at: index, depth: depth)
    }

    @inline(never)
    private static func direct(_ type: any Any.Type) -> (any TapeDecodable.Type)? {
        type as? any TapeDecodable.Type
    }

    private func decode<D: TapeDecodable, T>(
        _ type: D.Type, at index: Int, depth: Int
    ) throws -> T {
        let value = try D.decoded(from: self, at: index, depth: depth)
        // `directTypes` returns no type but `T` itself, so `D` is `T`.
        return unsafeBitCast(value, to: T.self)
    }

    @inline(__always)
    func isNull(at index: Int) -> Bool {
        let kind = tape.kind(at: index)
        return kind == .null || kind == .start
    }

    /// Returns the number of elements of an array, and caches it if the tape's count is too small.
    func elementCount(of array: Int) -> Int {
        if let count = largeCounts[array] { return count }
        let count = tape.elementCount(of: array)
        if count > tape.countedElements(of: array) { largeCounts[array] = count }
        return count
    }

    @inline(__always)
    func string(at index: Int) throws -> String {
        guard tape.kind(at: index) == .string else { throw mismatch(String.self, at: index) }
        return tape.string(at: index)
    }

    @inline(__always)
    func bool(at index: Int) throws -> Bool {
        switch tape.kind(at: index) {
        case .isTrue: return true
        case .isFalse: return false
        default: throw mismatch(Bool.self, at: index)
        }
    }

    // MARK: Keys

    /// Returns the index of a key's value; nil if the object does not have the key.
    @inline(__always)
    func value(of key: String, in object: Int, depth: Int) -> Int? {
        guard comparesBytes else { return index.value(of: key, in: object, depth: depth) }
        var name = key
        let outcome = name.withUTF8 { search.find($0, in: object, depth: depth) }
        if case .found(let value) = outcome { return value }
        return otherValue(of: key, outcome, in: object, depth: depth)
    }

    /// Looks up a key that was not found by its bytes.
    @inline(never)
    private func otherValue(
        of key: String, _ outcome: KeySearch.Outcome, in object: Int, depth: Int
    ) -> Int? {
        // A Unicode letter can be equivalent to an ASCII letter, as the Kelvin sign is to K.
        if case .missing = outcome, key.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        return index.value(of: key, in: object, depth: depth)
    }

    /// Returns the keys of an object as types see them, each once.
    func keys(of object: Int) -> [String] {
        var (keys, known): ([String], Set<String>) = ([], [])
        var key = object + 1
        while key < tape.end(of: object) {
            let name = index.name(at: key)
            if known.insert(name).inserted { keys.append(name) }
            key = tape.next(after: key + 1)
        }
        return keys
    }

    private static func mayHaveForeignKeys(_ text: Data) -> Bool {
        text.withUnsafeBytes { bytes in
            var all: UInt8 = 0
            for byte in bytes { all |= byte }
            return all >= 0x80 || bytes.contains(UInt8(ascii: "\\"), before: UInt8(ascii: "u"))
        }
    }

    // MARK: Numbers

    /// Returns the text of a number.
    func numberText(at index: Int) -> Data? { numbers[index] }

    /// Decodes a number from its text with `JSONDecoder`, if its value on the tape does not
    /// suffice.
    func number<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
        let text = numberText(at: index) ?? Data()
        do {
            return try decoder.decode(type, from: text)
        } catch {
            throw corrupted(
                "Parsed JSON number <\(String(decoding: text, as: UTF8.self))> does not fit in \(type).",
                at: index)
        }
    }

    /// Whether a zero on the tape is `-0` in the text; an integer cannot represent its sign.
    func isNegativeZero(at index: Int) -> Bool {
        hasNegativeZero && numberText(at: index) == Data("-0".utf8)
    }

    private static func hasNegativeZero(_ text: Data) -> Bool {
        text.withUnsafeBytes { bytes in
            bytes.contains(UInt8(ascii: "-"), before: UInt8(ascii: "0"))
        }
    }

    // MARK: Errors

    /// Returns the coding path of a value.
    func codingPath(to index: Int) -> [any CodingKey] { basePath + path.path(to: index) }

    /// Returns the result of decoding an object as a dictionary, whose keys are not converted.
    func asDictionary<Result>(_ object: Int, _ decode: () throws -> Result) rethrows -> Result {
        guard options.convertsFromSnakeCase, path.beginDictionary(object) else {
            return try decode()
        }
        defer { path.endDictionary(object) }
        return try decode()
    }

    @inline(never)
    func mismatch(_ type: any Any.Type, at index: Int) -> DecodingError {
        let isNull = isNull(at: index)
        let context = DecodingError.Context(
            codingPath: codingPath(to: index),
            debugDescription: isNull && type != Bool.self
                ? "Cannot get value of type \(type) -- found null value instead"
                : "Expected to decode \(type) but found \(name(of: tape.kind(at: index))) instead.")
        // Like `JSONDecoder`: null is a type mismatch for `Bool`, and a missing value for other
        // types.
        return isNull && type != Bool.self
            ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func corrupted(_ description: String, at index: Int) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: codingPath(to: index), debugDescription: description))
    }

    private func name(of kind: JSONTape.Kind) -> String {
        switch kind {
        case .object: "a dictionary"
        case .array: "an array"
        case .string: "a string"
        case .isTrue, .isFalse: "bool"
        case .null, .start: "null"
        default: "number"
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the buffer contains one byte directly before another.
    fileprivate func contains(_ byte: UInt8, before second: UInt8) -> Bool {
        guard var start = baseAddress, count > 1 else { return false }
        let last = start + count - 1
        while start < last, let found = memchr(start, Int32(byte), last - start) {
            start = UnsafeRawPointer(found) + 1
            if start.load(as: UInt8.self) == second { return true }
        }
        return false
    }
}
