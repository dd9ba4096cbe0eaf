import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

extension LoadTests {
    /// Many streams at once that are relayed as uploads.
    @Suite("Relays")
    struct Relays {
        static let count = 150
        static let size = 3_000_000

        @Test(
            "a gigabyte through 64 at once takes at most 80 MiB with small buffers, and few threads"
        )
        func gigabyte() async throws {
            let size = LoadVariant.pick(short: 4 << 20, full: 16 << 20)
            let nginx = try await NginxServer(files: ["body": Data(count: size)])
            var configuration = SessionConfiguration()
            configuration.maximumConnectionsPerHost = 128
            configuration.streamBufferSize = 256 * 1024
            let manager = HTTPSessionManager(
                baseURL: URL(string: nginx.url("")), configuration: configuration)
            _ = try await manager.head("files/body")
            ProcessState.releaseFreedMemory()
            let start = ProcessState.residentMemory
            ProcessState.forgetPeakMemory()
            let threads = ProcessState.threadCount
            let most = Locked(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let stream = try await manager.stream("files/body")
                        try await manager.upload(
                            .sequence(stream), to: "uploads/\(number)", method: .put)
                        most.withLock { $0 = max($0, ProcessState.threadCount) }
                    }
                }
                try await group.waitForAll()
            }
            let growth = ProcessState.peakMemory - start
            print("64 relays: \(growth) B at most, \(most.withLock { $0 } - threads) threads more")
            if !ProcessState.isSanitized { #expect(growth <= 80 << 20) }
            #expect(most.withLock { $0 } - threads <= 8)
            withExtendedLifetime(nginx) {}
        }

        @Test("150 at once take less than 100 MiB, and not a thread each")
        func memory() async throws {
            let nginx = try await NginxServer(files: ["body": Data(count: Self.size)])
            var configuration = SessionConfiguration()
            configuration.maximumConnectionsPerHost = 2 * Self.count
            let manager = HTTPSessionManager(
                baseURL: URL(string: nginx.url("")), configuration: configuration)
            _ = try await manager.head("files/body")
            ProcessState.releaseFreedMemory()
            let start = ProcessState.residentMemory
            let threads = ProcessState.threadCount
            let most = Locked(0)
            for _ in 0..<2 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<Self.count {
                        group.addTask {
                            let stream = try await manager.stream("files/body")
                            try await Self.pass(stream, on: manager, to: "uploads/\(number)")
                            most.withLock { $0 = max($0, ProcessState.threadCount) }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let growth = ProcessState.residentMemory - start
            print("relays: \(growth) B more than before, \(most.withLock { $0 }) threads at most")
            if !ProcessState.isSanitized { #expect(growth < 100 << 20) }
            #expect(most.withLock { $0 } < threads + 20)
            withExtendedLifetime(nginx) {}
        }

        private static func pass(
            _ stream: ResponseStream, on manager: HTTPSessionManager, to path: String
        ) async throws {
            var request = URLRequest(url: try #require(manager.url(for: path)))
            request.httpMethod = "PUT"
            let response = await manager.upload(
                for: request, from: stream, length: Int64(size),
                serializer: HTTPResponseSerializer())
            #expect(response.error == nil)
        }
    }
}
