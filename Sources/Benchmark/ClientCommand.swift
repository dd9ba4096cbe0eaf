import Foundation

/// `benchmark client`: one client in a process of its own, so that nothing is shared between
/// clients and the whole process's CPU and memory are the client's.
struct ClientCommand {
    private let client: Client
    private let url: URL
    private let count: Int
    private let concurrency: Int
    private let work: BenchmarkCase.Work
    private let file: URL

    init(_ arguments: some Collection<String>) throws {
        let values = Array(arguments)
        // The case's name is for benchmark-c, which takes the same arguments and tunes by it.
        guard values.count == 5 || values.count == 6, let client = Client(rawValue: values[0]),
            client != .c,
            let url = URL(string: values[2]), let count = Int(values[3]), count > 0,
            let concurrency = Int(values[4]), concurrency > 0
        else {
            throw UsageError(message: "wrong arguments for the subcommand client")
        }
        self.client = client
        self.url = url
        self.count = count
        self.concurrency = concurrency
        work = BenchmarkCase.all.first { $0.name == values[1] }?.work ?? .get
        file = URL(fileURLWithPath: values.last ?? "")
    }

    func run() throws {
        print(try measure().jsonLine())
    }

    private func measure() throws -> ClientRun {
        switch client {
        case .bluebonnet:
            switch work {
            case .get:
                return try runBluebonnet(
                    url: url, count: count, concurrency: concurrency,
                    trusting: url.scheme == "https" ? file : nil
                )
            case .download:
                return try runBluebonnetDownload(url: url, to: file, count: count)
            case .upload:
                return try runBluebonnetUpload(url: url, of: file, count: count)
            }
        case .curl:
            return try runCurlCommand(url: url, work: work, file: file, count: count)
        case .urlSession:
            return try runURLSession(url: url, count: count, concurrency: concurrency)
        case .c:
            throw BenchmarkFailure("c is the program benchmark-c")
        }
    }
}
