import Foundation

/// Decodes a JSON text into a type, with simdjson if possible and with `JSONDecoder` otherwise.
///
/// The choice is made once for each text. Both produce the same values, and the same kinds of
/// errors at the same positions.
package struct TypedJSONReader {
    /// The maximum nesting depth of `JSONDecoder`.
    package static let maximumDepth = 512

    // One less, since simdjson does not count an empty array or object. `JSONDecoder` decodes a
    // valid text that simdjson then refuses.
    static let parsers = JSONParserPool(
        maximumCount: 8, maximumCapacity: 256 * 1024, maximumDepth: maximumDepth - 1)

    /// The decoder; nil for `JSONDecoder()`.
    private let decoder: JSONDecoder?
    /// The decoder's options; nil if only the decoder itself can apply its settings.
    private let options: JSONDecodingOptions?
    /// Whether the text must be standard JSON.
    private let isStrict: Bool
    private let parsers: JSONParserPool

    package init(_ decoder: JSONDecoder?) { self.init(decoder, parsers: Self.parsers) }

    init(_ decoder: JSONDecoder?, parsers: JSONParserPool) {
        self.decoder = decoder
        self.parsers = parsers
        options = decoder.map { JSONDecodingOptions($0) } ?? .standard
        isStrict = decoder.map { !$0.allowsJSON5 && !$0.assumesTopLevelDictionary } ?? true
    }

    /// Decodes the text.
    ///
    /// - Throws: A ``JSONResponseSerializer/ParseError`` for invalid JSON, or the error that the
    ///   type throws, usually a `DecodingError`.
    package func value<T: Decodable>(_ type: T.Type, of text: JSONText) throws -> T {
        if let options {
            do {
                return try value(type, of: text.data, options)
            } catch is JSONTape.Refused {}
        }
        // Neither simdjson nor the decoder locates syntax errors. The decoder also accepts trailing
        // commas, and keys that take too long to hash.
        if isStrict {
            try text.checkSyntax(maximumDepth: Self.maximumDepth)
        } else {
            try text.checkJSON5()
        }
        var data = text.data
        // At the end of a text, the decoder reads beyond a number, and can trap.
        if let last = data.last, !"}]\"".utf8.contains(last) { data.append(UInt8(ascii: "\n")) }
        return try (decoder ?? JSONDecoder()).decode(type, from: data)
    }

    /// Decodes a text that simdjson accepts and whose keys do not take too long to hash.
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
