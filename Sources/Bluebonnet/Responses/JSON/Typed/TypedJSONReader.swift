import Foundation

/// Reads a text of JSON into a type: by simdjson where it can, or else by `JSONDecoder`.
///
/// Which of them is decided once a text. Both make the same values, and errors of the same kinds at the same places.
struct TypedJSONReader {
    /// What `JSONDecoder` reads: arrays and objects nested deeper are an error.
    static let maximumDepth = 512

    // One less, since simdjson counts no array or object that is empty: what it then refuses wrongly, the decoder
    // reads.
    static let parsers = JSONParserPool(
        maximumCount: 8, maximumCapacity: 256 * 1024, maximumDepth: maximumDepth - 1)

    /// Nil for that of `JSONDecoder()`.
    private let decoder: JSONDecoder?
    /// Nil for a decoder that only itself does justice to.
    private let options: JSONDecodingOptions?
    /// Whether the text is to be JSON by the standard.
    private let isStrict: Bool
    private let parsers: JSONParserPool

    init(_ decoder: JSONDecoder?, parsers: JSONParserPool = Self.parsers) {
        self.decoder = decoder
        self.parsers = parsers
        options = decoder.map { JSONDecodingOptions($0) } ?? .standard
        isStrict = decoder.map { !$0.allowsJSON5 && !$0.assumesTopLevelDictionary } ?? true
    }

    /// The value.
    ///
    /// - Throws: ``JSONResponseSerializer/ParseError`` for what is no JSON, and what the type throws: a
    ///   `DecodingError`, mostly.
    func value<T: Decodable>(_ type: T.Type, of text: JSONText) throws -> T {
        if let options {
            do {
                return try value(type, of: text.data, options)
            } catch is JSONTape.Refused {}
        }
        // Neither simdjson nor the decoder says where the syntax is wrong. The decoder also accepts trailing commas,
        // and keys that take too long to be hashed.
        if isStrict { try text.checkSyntax(maximumDepth: Self.maximumDepth) }
        return try (decoder ?? JSONDecoder()).decode(type, from: text.data)
    }

    /// The value of a text that simdjson reads, and whose keys do not take too long to be hashed.
    private func value<T: Decodable>(
        _ type: T.Type, of text: Data, _ options: JSONDecodingOptions
    ) throws -> T {
        let parser = try parsers.take()
        guard let tape = try text.withUnsafeBytes(parser.parse),
            var document = JSONTapeDocument(tape, of: text, parser, options)
        else {
            parsers.giveBack(parser)
            throw JSONTape.Refused()
        }
        defer {
            // A decoder that a type has kept still reads the parser's memory.
            if isKnownUniquelyReferenced(&document) { parsers.giveBack(parser) }
        }
        return try document.decode(type, at: JSONTape.root, depth: 0)
    }
}
