import CBluebonnetJSON

/// A simdjson parser and its buffers, for use by one thread at a time.
final class JSONParser {
    /// The maximum nesting depth of any parser, which determines the size of its buffers.
    static let maximumDepth = 1024

    private let parser: OpaquePointer
    private let hintCount: Int
    /// The key hints of typed reading, by depth.
    let hints: UnsafeMutablePointer<KeyHint>
    /// The types that typed reading has encountered.
    let directTypes = TypeTable<(any TapeDecodable.Type)?>()
    /// The number of texts parsed so far.
    private(set) var documentNumber: UInt32 = 0

    /// Creates a parser; nil if memory runs out.
    init?(maximumDepth: Int = JSONParser.maximumDepth) {
        // simdjson also counts the value inside the innermost brackets.
        guard let parser = bluebonnet_json_make(maximumDepth + 1) else { return nil }
        self.parser = parser
        hintCount = maximumDepth + 1
        hints = .allocate(capacity: hintCount)
        hints.initialize(repeating: KeyHint(), count: hintCount)
    }

    deinit {
        hints.deallocate()
        directTypes.deallocate()
        bluebonnet_json_free(parser)
    }

    /// The length in bytes of the longest text that fits into the current buffers.
    var capacity: Int { bluebonnet_json_capacity(parser) }

    /// Parses a text in UTF-8.
    ///
    /// - Returns: The tape, valid until the next text; nil if simdjson refuses the text.
    /// - Throws: ``JSONParserPool/outOfMemory``.
    func parse(_ text: UnsafeRawBufferPointer) throws -> JSONTape? {
        documentNumber &+= 1
        // The number has wrapped around, so hints of earlier texts could be taken for current ones.
        if documentNumber == 0 { hints.update(repeating: KeyHint(), count: hintCount) }
        var tape = BluebonnetJSONTape()
        let outcome = bluebonnet_json_parse(parser, text.baseAddress, text.count, &tape)
        if outcome == BluebonnetJSONOutcomeOutOfMemory { throw JSONParserPool.outOfMemory }
        guard outcome == BluebonnetJSONOutcomeParsed, let words = tape.words,
            let strings = tape.strings
        else { return nil }
        return JSONTape(words: words, strings: strings)
    }
}
