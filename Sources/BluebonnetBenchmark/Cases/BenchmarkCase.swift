/// One workload: the kind of request, the server, and the number of total and concurrent requests.
struct BenchmarkCase: Sendable {
    enum Work: Sendable {
        /// The body is kept in memory.
        case get
        /// A JSON document is sent with POST, and the response body is kept in memory.
        case post
        /// The body is decoded into a ``CatalogPage``.
        case typed
        /// The body goes to a file.
        case download
        /// A file is sent with PUT.
        case upload
        /// The body is kept in memory, and Bluebonnet uses the request chain.
        case chain
        /// The body is kept in memory, and requests go to this many hosts in turn.
        case hosts(Int)
        /// One request in a new process, measured from the start of the process.
        case firstResponse
        /// The body is kept in memory, and one request is measured at a time.
        ///
        /// Meanwhile, as many requests as the concurrency are in flight to a slow server.
        case amongHeld
    }

    let name: String
    /// The name in charts, if it differs.
    var title: String?
    var work = Work.get
    var listener = NginxListener.plain
    let file: ServedFile
    let concurrency: Int
    /// The number of requests of a fast client, sized for a run of one to two seconds.
    let count: Int
    /// The number of requests of URLSession, which is over ten times slower with small bodies.
    let urlSessionCount: Int
    /// Whether the async call also runs this case, in addition to the completion handler.
    var comparesAsync = false

    /// Whether the case runs only if it is named, because it needs much time and disk space.
    var isOnRequest: Bool { file == .huge }

    /// Whether wrk also runs this case, which makes the run void if C is much slower.
    var isComparedWithWrk: Bool { name == "small-get-64" }

    /// Whether bytes per second are reported in addition to requests per second.
    var isLarge: Bool { file == .large || file == .huge }

    /// The number of bodies that a client must hold in memory at the same time.
    var keptBodies: Int {
        switch work {
        case .download, .upload: 0
        default: concurrency
        }
    }

    /// Returns the case with this name.
    static func named(_ name: String) throws -> BenchmarkCase {
        guard let found = all.first(where: { $0.name == name }) else {
            throw BenchmarkFailure("there is no case \(name)")
        }
        return found
    }

    func count(for client: Client, isQuick: Bool) -> Int {
        let full = client == .urlSession ? urlSessionCount : count
        return isQuick ? max(full / 10, 1) : full
    }
}
