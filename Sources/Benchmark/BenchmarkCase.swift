/// One workload: which file is fetched, how often, and how many requests run at a time.
struct BenchmarkCase: Sendable {
    enum Work: Sendable {
        /// The body is kept in memory.
        case get
        /// The body goes to a file.
        case download
        /// A file is sent with PUT.
        case upload
    }

    let name: String
    var work = Work.get
    let file: ServedFile
    let concurrency: Int
    /// Requests of a quick client, sized for a run of one to two seconds.
    let count: Int
    /// Requests of URLSession, which is over ten times slower with small bodies.
    let urlSessionCount: Int

    /// Whether it takes so much time and disk that it is only run when it is asked for.
    var isOnRequest: Bool { file == .huge }

    /// wrk runs this case too, and a run in which C falls far behind it is void.
    var isComparedWithWrk: Bool { name == "small-get-64" }

    /// A rate in bytes says more here than one in requests.
    var isLarge: Bool { file == .large || file == .huge }

    func count(for client: Client, isQuick: Bool) -> Int {
        let full = client == .urlSession ? urlSessionCount : count
        return isQuick ? max(full / 10, 1) : full
    }

    static let all =
        gets + [
            BenchmarkCase(
                name: "download-2g", work: .download, file: .huge, concurrency: 1,
                count: 2, urlSessionCount: 1
            ),
            BenchmarkCase(
                name: "upload-2g", work: .upload, file: .huge, concurrency: 1,
                count: 2, urlSessionCount: 1
            ),
        ]

    private static let gets = [
        BenchmarkCase(
            name: "small-get-1", file: .small, concurrency: 1,
            count: 40_000, urlSessionCount: 3_000
        ),
        BenchmarkCase(
            name: "small-get-64", file: .small, concurrency: 64,
            count: 60_000, urlSessionCount: 4_000
        ),
        BenchmarkCase(
            name: "medium-get-64", file: .medium, concurrency: 64,
            count: 50_000, urlSessionCount: 4_000
        ),
        // The same count for all, so that the seconds of a whole run can be compared too.
        BenchmarkCase(
            name: "large-get-1", file: .large, concurrency: 1,
            count: 6, urlSessionCount: 6
        ),
    ]
}
