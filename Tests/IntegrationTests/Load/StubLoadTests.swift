import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import Testing

extension LoadTests {
    /// The cost of tests on stubs.
    @Suite("Stubs")
    struct Stubs {
        /// Does what a user's test does: creates a stub, a clock and a manager, and releases them.
        private func test() async throws {
            let (stub, clock) = (StubTransport(), ManualClock())
            stub.on(.get, "/a/:id") { .json(["id": $0.parameters["id"]]).after(.seconds(1)) }
            stub.on(.get, "/slow", .silence)
            var configuration = SessionConfiguration()
            (configuration.clock, configuration.timeouts.idle) = (clock, 30)
            let api = HTTPSessionManager(
                baseURL: URL(string: "http://a.test/"), configuration: configuration,
                transport: stub)
            #expect(try await clock.run { try await api.get("a/1") } == Data(#"{"id":"1"}"#.utf8))
            let error = await clock.run {
                await #expect(throws: BluebonnetError.self) { try await api.get("slow") }
            }
            #expect(error?.timeout == .idle && clock.now == .seconds(31))
            try stub.verify()
        }

        @Test("1,000 tests leave no thread and no file, and the last 500 take no memory")
        func tests() async throws {
            var start = (files: 0, memory: 0)
            for number in 0..<1000 {
                try await test()
                guard number == 499 else { continue }
                ProcessState.releaseFreedMemory()
                start = (ProcessState.openFiles, ProcessState.residentMemory)
            }
            ProcessState.releaseFreedMemory()
            let growth = ProcessState.residentMemory - start.memory
            print("stubs: \(growth) B more after 1,000 tests than after 500")
            #expect(ProcessState.openFiles <= start.files)
            #expect(ProcessState.threadNames.count < 40, "\(ProcessState.threadNames)")
            if !ProcessState.isSanitized { #expect(growth < 2 << 20) }
        }

        @Test("thousands of stubbed requests per second are answered")
        func rate() async throws {
            let stub = StubTransport()
            stub.on(.get, "/a", .json(["id": 1]))
            let api = HTTPSessionManager(baseURL: URL(string: "http://a.test/"), transport: stub)
            let start = ProcessState.processorTime
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask { for _ in 0..<1000 { _ = try? await api.get("a") } }
                }
            }
            let rate = 16_000 / (ProcessState.processorTime - start)
            print("stubs: \(Int(rate)) requests in a second of one processor")
            #expect(stub.requests.count == 16_000)
            // A release build answers seven times as many.
            if !ProcessState.isSanitized { #expect(rate > 1000) }
        }
    }
}
