import Bluebonnet
import Foundation

/// `BluebonnetBenchmark client`: runs one client in its own process.
///
/// Clients therefore share nothing, and the CPU time and memory of the process are those of the
/// client.
struct ClientCommand {
    private let client: Client
    private let point: ScalingPoint?
    private let parameters: ClientParameters

    init(_ arguments: some Collection<String>) throws {
        let values = Array(arguments)
        // The programs in C and Go take the same arguments and tune themselves by the case's name.
        guard values.count == 5 || values.count == 6, let client = Client(rawValue: values[0]),
            let url = URL(string: values[2]), let count = Int(values[3]), count > 0,
            let concurrency = Int(values[4]), concurrency > 0
        else {
            throw UsageError(message: "wrong arguments for the subcommand client")
        }
        self.client = client
        point = ScalingPoint(name: values[1])
        parameters = ClientParameters(
            work: BenchmarkCase.all.first { $0.name == values[1] }?.work ?? .get,
            url: url, count: count, concurrency: concurrency,
            argument: values.count == 6 ? values[5] : ""
        )
    }

    func run() throws {
        print(try measure().jsonLine())
    }

    private func measure() throws -> ClientRun {
        switch client {
        case .bluebonnet:
            guard let point else { return try runBluebonnet(parameters) }
            return try runBluebonnetScaling(point, parameters)
        case .bluebonnetAsync:
            return try runBluebonnetAsync(parameters)
        case .bluebonnetAsyncPreferred:
            return try runBluebonnetAsync(parameters, executor: .bluebonnet)
        case .bluebonnetMonitored: return try runBluebonnetMonitored(parameters)
        case .bluebonnetSubclass:
            return try runBluebonnetSubclass(parameters)
        case .bluebonnetAdapter:
            return try runBluebonnetAdapter(parameters)
        case .bluebonnetVerb:
            return try runBluebonnetVerb(parameters)
        case .bluebonnetChain:
            return try runBluebonnetChain(parameters)
        case .bluebonnetVerbAsync:
            return try runBluebonnetVerbAsync(parameters)
        case .bluebonnetChainAsync:
            return try runBluebonnetChainAsync(parameters)
        case .bluebonnetTarget:
            return try runBluebonnetTarget(parameters)
        case .bluebonnetTypedRequest:
            return try runBluebonnetTypedRequest(parameters)
        case .bluebonnetPath:
            return try runBluebonnetPath(parameters)
        case .bluebonnetPathTyped:
            return try runBluebonnetPathTyped(parameters)
        case .bluebonnetPathAdapter:
            return try runBluebonnetPathTyped(parameters, interceptors: [Stamp()])
        case .bluebonnetEndpoint:
            return try runBluebonnetEndpoint(parameters)
        case .bluebonnetCacheDiskStore:
            return try runBluebonnetCacheDisk(parameters, .reloadIgnoringLocalCacheData)
        case .bluebonnetCacheDiskHit:
            return try runBluebonnetCacheDisk(parameters, .useProtocolCachePolicy)
        case .bluebonnetCacheHit: return try runBluebonnetCacheHit(parameters)
        case .bluebonnetCacheMiss: return try runBluebonnetCacheMiss(parameters)
        case .curl:
            return try runCurlCommand(parameters)
        case .urlSession:
            return try runURLSession(parameters)
        case .c, .go:
            throw BenchmarkFailure(
                "\(client.rawValue) is the program BluebonnetBenchmark\(client.rawValue.capitalized)"
            )
        }
    }
}
