import CBluebonnetJSON

/// A parser of simdjson with its buffers, for one thread at a time.
final class JSONParser {
    /// The deepest nesting that any parser reads; its buffers are made for it.
    static let maximumDepth = 1024

    private let parser: OpaquePointer
    private let hintCount: Int
    /// Where typed reading has found keys, by depth.
    let hints: UnsafeMutablePointer<KeyHint>
    /// Which types it has met.
    let directTypes = TypeTable<(any TapeDecodable.Type)?>()
    /// How many texts it was given.
    private(set) var documentNumber: UInt32 = 0

    /// Fails for want of memory.
    init?(maximumDepth: Int = JSONParser.maximumDepth) {
        // simdjson counts the value within the innermost brackets too.
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

    /// The length of the longest text that the buffers were made for.
    var capacity: Int { bluebonnet_json_capacity(parser) }

    /// The tape of a text in UTF-8, which is valid until the next text; nil where simdjson does not
    /// read the text.
    func parse(_ text: UnsafeRawBufferPointer) throws -> JSONTape? {
        documentNumber &+= 1
        // Hints of as many texts ago would be taken for those of this one.
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
