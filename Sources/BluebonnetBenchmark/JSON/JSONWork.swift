/// A way to read or write a document.
enum JSONWork: String {
    // Ways to read.
    case bytes
    case plain
    case jsonSerialization = "JSONSerialization"
    case typed
    case jsonDecoder = "JSONDecoder"
    // Ways to write a value that was read.
    case encoded
    case jsonEncoder = "JSONEncoder"
    // Ways that run in the process of the Go client.
    case goUnmarshal = "Go reads"
    case goMarshal = "Go writes"

    /// The ways that a document performs itself.
    static let own: [JSONWork] = [
        .bytes, .plain, .jsonSerialization, .typed, .jsonDecoder, .encoded, .jsonEncoder,
    ]
}

/// `BluebonnetBenchmark work`: reads or writes a document repeatedly, for a profiler.
struct WorkCommand {
    private let work: JSONWork
    private let document: JSONDocument
    private let count: Int

    init(_ arguments: some Collection<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 3, let work = JSONWork(rawValue: arguments[0]),
            let document = JSONDocument.named(arguments[1]),
            let count = Int(arguments[2])
        else { throw UsageError(message: "the subcommand work needs WORK, DOCUMENT and COUNT") }
        (self.work, self.document, self.count) = (work, document, count)
    }

    func run() throws {
        for _ in 0..<count { try document.perform(work) }
    }
}
