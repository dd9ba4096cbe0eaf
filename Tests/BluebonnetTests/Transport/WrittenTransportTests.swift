import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Synchronization
import Testing

import Bluebonnet

@Suite("Transports written by users", .timeLimit(.minutes(5)))
struct WrittenTransportTests {
    private static func manager(_ transport: any Transport) -> HTTPSessionManager {
        HTTPSessionManager(baseURL: URL(string: "http://stub.test/"), transport: transport)
    }

    private static func get(_ path: String, on transport: any Transport) async throws -> Data {
        let url = try #require(URL(string: "http://stub.test/\(path)"))
        return try await manager(transport).data(for: URLRequest(url: url))
    }

    @Test("a stub answers, and the response is serialized as usual")
    func stub() async throws {
        let url = try #require(URL(string: "http://stub.test/a"))
        let response = await Self.manager(HelloTransport()).response(
            for: URLRequest(url: url), serializer: JSONResponseSerializer())
        #expect(response.head?.value(of: "Content-Length") == "29")
        #expect((response.value as? [String: Any])?["path"] as? String == "http://stub.test/a")
    }

    @Test("a decorator counts all exchanges, with failures")
    func counting() async throws {
        let counting = CountingTransport(FailingTransport(base: HelloTransport(), byteCount: 10))
        await #expect(throws: BluebonnetError.self) { try await Self.get("a", on: counting) }
        #expect(counting.ended.load(ordering: .relaxed) == 1)
        #expect(counting.failed.load(ordering: .relaxed) == 1)
    }

    @Test("a recorded exchange is replayed byte for byte")
    func recording() async throws {
        let recorded = Recorder<Recording>()
        let recording = RecordingTransport(base: HelloTransport()) { recorded.add($0) }
        let first = try await Self.get("a", on: recording)
        let recordings = Dictionary(uniqueKeysWithValues: recorded.all.map { ($0.url, $0) })
        let replaying = ReplayingTransport(recordings: recordings)
        #expect(try await Self.get("a", on: replaying) == first)
        let error = await #expect(throws: BluebonnetError.self) {
            try await Self.get("b", on: replaying)
        }
        #expect(error?.description.contains("is not recorded") == true)
    }

    @Test("one that fails after some bytes ends the exchange below it")
    func failing() async throws {
        let stub = ManualTransport { $0.respond(200, [:], ["abcdef"]) }
        let failing = FailingTransport(base: stub, byteCount: 3)
        let error = await #expect(throws: BluebonnetError.self) {
            try await Self.get("a", on: failing)
        }
        #expect(error?.urlError.code == .networkConnectionLost)
        #expect(stub.exchanges[0].controls == [.cancel])
    }

    enum Kind: CaseIterable { case stub, counting, recording, replaying, failing }

    @Test(
        "a cancel at any moment ends a task once, on any transport",
        arguments: Kind.allCases)
    func cancelledAnytime(kind: Kind) async throws {
        let base = HelloTransport()
        let transport: any Transport =
            switch kind {
            case .stub: base
            case .counting: CountingTransport(base)
            case .recording: RecordingTransport(base: base) { _ in }
            case .replaying: ReplayingTransport(recordings: [:])
            case .failing: FailingTransport(base: base, byteCount: 5)
            }
        let manager = Self.manager(transport)
        let url = try #require(URL(string: "http://stub.test/"))
        let ends = Recorder<Int>()
        let count = 300
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let task = manager.dataTask(with: URLRequest(url: url)) { _ in ends.add(number) }
                group.addTask { task.resume() }
                group.addTask { task.cancel() }
            }
        }
        let all = await ends.wait(for: count)
        #expect(Set(all).count == count && all.count == count)
    }
}
