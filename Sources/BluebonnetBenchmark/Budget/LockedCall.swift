import Bluebonnet
import BluebonnetChain
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// A way to send a request, whose locks are counted over a transport inside the process.
enum LockedCall: String, CaseIterable {
    case data
    case typed
    case chain
    case retrier
    case download

    /// Answers every request at once, on the thread that begins the exchange.
    private struct Answering: Transport {
        func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
            AnsweringTransfer(exchange, reportingTo: sink) { transfer in
                transfer.reply(
                    200, fields: [Exchange.Field(name: "Content-Type", value: "application/json")],
                    body: Data(#"{"name":"bluebonnet"}"#.utf8))
            }
        }
    }

    private struct Flower: Decodable { let name: String }

    private struct NoRetry: RequestInterceptor {
        func retry(
            _ request: Request, for session: Session, dueTo error: any Error
        ) async -> RetryResult {
            .doNotRetry
        }
    }

    /// Counts the locks of calls one after another.
    func count(_ count: Int) async throws -> LockCost {
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://flowers.example/v1/"), transport: Answering())
        if self == .retrier { manager.interceptors = [NoRetry()] }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-locks-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("flower")
        return try await LockCounter().count(count) {
            switch self {
            case .data, .retrier: _ = try await manager.get("flower")
            case .typed: _ = try await manager.get("flower", as: Flower.self)
            case .chain:
                _ = try await manager.request("http://flowers.example/v1/flower").validate()
                    .serializingData().value
            case .download:
                _ = try await manager.download(
                    "flower", to: file, options: .file(.removePreviousFile))
            }
        }
    }
}

/// `BluebonnetBenchmark locks`: counts the locks of one kind of call.
struct LocksCommand {
    private let call: LockedCall
    private let count: Int

    init(_ arguments: some Collection<String>) throws {
        let values = Array(arguments)
        guard values.count == 2, let call = LockedCall(rawValue: values[0]),
            let count = Int(values[1]), count > 0
        else { throw UsageError(message: "wrong arguments for the subcommand locks") }
        (self.call, self.count) = (call, count)
    }

    func run() throws {
        let (call, count) = (call, count)
        try AsyncLoop(count: 1, concurrency: 1) {
            let cost = try JSONEncoder().encode(await call.count(count))
            print(String(decoding: cost, as: UTF8.self))
            return 0
        }.runBlocking()
    }
}
