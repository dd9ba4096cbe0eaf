/// What is done with a document.
enum JSONWork: String {
    // Reading.
    case bytes
    case plain
    case jsonSerialization = "JSONSerialization"
    case typed
    case jsonDecoder = "JSONDecoder"
    // Writing what was read.
    case encoded
    case jsonEncoder = "JSONEncoder"
    // Both in a process of their own.
    case goUnmarshal = "Go reads"
    case goMarshal = "Go writes"

    /// Those that a document performs itself.
    static let own: [JSONWork] = [
        .bytes, .plain, .jsonSerialization, .typed, .jsonDecoder, .encoded, .jsonEncoder,
    ]
}

/// `bluebonnet-benchmark work`: reads or writes a document so many times, for a profiler.
struct WorkCommand {
    private let work: JSONWork
    private let document: JSONDocument
    private let count: Int

    init(_ arguments: some Collection<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 3, let work = JSONWork(rawValue: arguments[0]),
            let document = JSONDocument.named(arguments[1]),
            let count = Int(arguments[2])
        else { throw UsageError(message: "expected a work, a document and a number") }
        (self.work, self.document, self.count) = (work, document, count)
    }

    func run() throws {
        for _ in 0..<count { try document.perform(work) }
    }
}
