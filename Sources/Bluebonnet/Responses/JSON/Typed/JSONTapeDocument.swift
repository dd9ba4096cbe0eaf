import Foundation

/// A text that simdjson has read, and what all decoders over it share.
///
/// Types may keep a decoder after `init(from:)`, so each holds the document. It is for one thread at a time.
final class JSONTapeDocument {
    let tape: JSONTape
    let options: JSONDecodingOptions
    /// The parser whose memory the tape is.
    let parser: JSONParser
    private let text: Data
    /// The keys in front of those of the text.
    private let basePath: [any CodingKey]
    private let search: KeySearch
    /// Whether equal keys are equal in all their bytes, but for names that are not of ASCII alone.
    private let comparesBytes: Bool
    private lazy var index = KeyIndex(
        tape, convertsFromSnakeCase: options.convertsFromSnakeCase)
    /// The document of which this is a part that is missing, whose memory it shares.
    private let owner: JSONTapeDocument?
    private var largeCounts: [Int: Int] = [:]
    private lazy var path = TapePath(tape, index)
    private lazy var numbers = NumberTexts(tape, text)
    private lazy var hasNegativeZero = Self.hasNegativeZero(text)
    private lazy var decoder = JSONDecoder()

    /// Nil for a text with a key that would take too long to be hashed.
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

    /// Makes the document of a value that another does not have: null, as its start is.
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

    /// A decoder of null at a place where there is nothing.
    func missingValue(at path: [any CodingKey]) -> JSONTapeDecoder {
        JSONTapeDecoder(JSONTapeDocument(missingIn: self, at: path), at: 0, depth: 0)
    }

    // MARK: Values

    /// Decodes a value of any type, which is in so many arrays and objects.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, at index: Int, depth: Int) throws -> T {
        // Of these the compiler mostly knows which it is. Each is cast to itself.
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
        // `directTypes` gives for a type nothing but the type itself.
        return unsafeBitCast(value, to: T.self)
    }

    @inline(__always)
    func isNull(at index: Int) -> Bool {
        let kind = tape.kind(at: index)
        return kind == .null || kind == .start
    }

    /// The number of elements of an array; those that the tape does not count are counted once.
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

    /// The index of the value of a key; nil if the object has none.
    @inline(__always)
    func value(of key: String, in object: Int, depth: Int) -> Int? {
        guard comparesBytes else { return index.value(of: key, in: object, depth: depth) }
        var name = key
        let outcome = name.withUTF8 { search.find($0, in: object, depth: depth) }
        if case .found(let value) = outcome { return value }
        return otherValue(of: key, outcome, in: object, depth: depth)
    }

    /// What is not found by bytes.
    @inline(never)
    private func otherValue(
        of key: String, _ outcome: KeySearch.Outcome, in object: Int, depth: Int
    ) -> Int? {
        // Letters of Unicode may be equivalent to ones of ASCII, as the Kelvin sign is to K.
        if case .missing = outcome, key.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        return index.value(of: key, in: object, depth: depth)
    }

    /// The keys of an object as types know them, each once.
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

    /// The text of a number.
    func numberText(at index: Int) -> Data? { numbers[index] }

    /// A number as `JSONDecoder` makes it of its text, for those of which the tape does not say enough.
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

    /// Whether a zero on the tape is `-0` in the text, which is no integer's.
    func isNegativeZero(at index: Int) -> Bool {
        hasNegativeZero && numberText(at: index) == Data("-0".utf8)
    }

    private static func hasNegativeZero(_ text: Data) -> Bool {
        text.withUnsafeBytes { bytes in
            bytes.contains(UInt8(ascii: "-"), before: UInt8(ascii: "0"))
        }
    }

    // MARK: Errors

    /// The keys from the root to a value, which takes a while.
    func codingPath(to index: Int) -> [any CodingKey] { basePath + path.path(to: index) }

    /// Notes that an object's keys are read as they are.
    func noteDictionary(_ object: Int) {
        if options.convertsFromSnakeCase { path.noteDictionary(object) }
    }

    @inline(never)
    func mismatch(_ type: any Any.Type, at index: Int) -> DecodingError {
        let isNull = isNull(at: index)
        let context = DecodingError.Context(
            codingPath: codingPath(to: index),
            debugDescription: isNull && type != Bool.self
                ? "Cannot get value of type \(type) -- found null value instead"
                : "Expected to decode \(type) but found \(name(of: tape.kind(at: index))) instead.")
        // As with `JSONDecoder`, null is a mismatch for a Bool, and no value for every other type.
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
    /// Whether it has one byte right before another.
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
