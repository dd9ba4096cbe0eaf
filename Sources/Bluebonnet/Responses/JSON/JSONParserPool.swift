import BluebonnetTransport

/// Parsers that wait for the next text, so that their buffers are made once.
///
/// Any number is lent at a time. A few of those that come back are kept, and none whose buffers
/// have grown beyond a bound, since a parser's buffers may be 16 times as long as its capacity.
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

    /// How many parsers wait.
    var idleCount: Int { idle.withLock { $0.count } }

    /// Lends a parser, which nothing else uses until `body` returns.
    func withParser<Result>(_ body: (JSONParser) throws -> Result) throws -> Result {
        let parser = try take()
        defer { giveBack(parser) }
        return try body(parser)
    }

    /// Lends a parser until it is given back, or freed.
    func take() throws -> JSONParser {
        guard let parser = idle.withLock({ $0.popLast() }) ?? JSONParser(maximumDepth: maximumDepth)
        else { throw Self.outOfMemory }
        return parser
    }

    /// Keeps a parser for the next text, unless there are enough, or it has grown too large.
    func giveBack(_ parser: JSONParser) {
        guard parser.capacity <= maximumCapacity else { return }
        idle.withLock { idle in
            if idle.count < maximumCount { idle.append(parser) }
        }
    }
}
