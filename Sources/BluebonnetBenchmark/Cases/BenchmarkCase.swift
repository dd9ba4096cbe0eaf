/// One workload: what is asked of which server, how often, and how many requests run at a time.
struct BenchmarkCase: Sendable {
    enum Work: Sendable {
        /// The body is kept in memory.
        case get
        /// A JSON document is sent with POST, and the answer kept in memory.
        case post
        /// The body is decoded into a ``CatalogPage``.
        case typed
        /// The body goes to a file.
        case download
        /// A file is sent with PUT.
        case upload
        /// The body is kept in memory; ours asks for it with the request chain.
        case chain
        /// The body is kept in memory; each request goes to the next of so many hosts.
        case hosts(Int)
        /// One request in a new process, which is measured from its start.
        case firstResponse
        /// The body is kept in memory; requests come one at a time, and as many as the concurrency says
        /// are in flight beside them on a slow server.
        case amongHeld
    }

    let name: String
    var work = Work.get
    var listener = NginxListener.plain
    let file: ServedFile
    let concurrency: Int
    /// Requests of a quick client, sized for a run of one to two seconds.
    let count: Int
    /// Requests of URLSession, which is over ten times slower with small bodies.
    let urlSessionCount: Int
    /// Whether the async call runs it too, beside the completion handler.
    var comparesAsync = false

    /// Whether it takes so much time and disk that it is only run when it is asked for.
    var isOnRequest: Bool { file == .huge }

    /// wrk runs this case too, and a run in which C falls far behind it is void.
    var isComparedWithWrk: Bool { name == "small-get-64" }

    /// A rate in bytes says more here than one in requests.
    var isLarge: Bool { file == .large || file == .huge }

    /// Bodies that a client has to hold at a time.
    var keptBodies: Int {
        switch work {
        case .download, .upload: 0
        default: concurrency
        }
    }

    /// The case of a name.
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
