import BluebonnetTransport

/// A pool of parsers whose buffers are reused for later texts.
///
/// It lends any number of parsers at a time. It keeps a limited number of returned parsers, and
/// none with a large capacity, since a parser's buffers can take 16 times its capacity.
struct JSONParserPool: Sendable {
    static let shared = JSONParserPool(maximumCount: 8, maximumCapacity: 256 * 1024)

    static let outOfMemory = JSONResponseSerializer.ParseError(
        byteOffset: nil,
        message: "there is not enough memory to parse the body"
    )

    private let maximumCount: Int
    private let maximumCapacity: Int
    private let maximumDepth: Int
    private let idle = Locked<[JSONParser]>([])

    init(
        maximumCount: Int, maximumCapacity: Int, maximumDepth: Int = JSONParser.maximumDepth
    ) {
        self.maximumCount = maximumCount
        self.maximumCapacity = maximumCapacity
        self.maximumDepth = maximumDepth
    }

    /// The number of parsers that are not in use.
    var idleCount: Int { idle.withLock { $0.count } }

    /// Lends a parser for exclusive use until `body` returns.
    func withParser<Result>(_ body: (JSONParser) throws -> Result) throws -> Result {
        let parser = try take()
        defer { giveBack(parser) }
        return try body(parser)
    }

    /// Lends a parser until it is given back or released.
    func take() throws -> JSONParser {
        guard let parser = idle.withLock({ $0.popLast() }) ?? JSONParser(maximumDepth: maximumDepth)
        else { throw Self.outOfMemory }
        return parser
    }

    /// Keeps a parser for a later text, unless the pool is full or the parser has grown too large.
    func giveBack(_ parser: JSONParser) {
        guard parser.capacity <= maximumCapacity else { return }
        idle.withLock { idle in
            if idle.count < maximumCount { idle.append(parser) }
        }
    }
}
