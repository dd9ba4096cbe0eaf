import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetBenchmark

@Suite("The cases of the benchmark")
struct BenchmarkCaseTests {
    private func named(_ name: String) throws -> BenchmarkCase {
        try #require(BenchmarkCase.all.first { $0.name == name })
    }

    @Test("C or the curl command takes part in every case, as the reference for ratios")
    func rivals() {
        for each in BenchmarkCase.all {
            let hasRival = Client.c.takesPart(in: each) || Client.curl.takesPart(in: each)
            #expect(hasRival, "\(each.name)")
        }
    }

    @Test("the async call takes part only where the completion handler does")
    func async() throws {
        #expect(Client.bluebonnetAsync.takesPart(in: try named("small-get-64")))
        #expect(!Client.bluebonnetAsync.takesPart(in: try named("typed-json-64")))
    }

    @Test("only the clients and cases that need a missing tool or limit are left out")
    func abilities() throws {
        let (http2, slow) = (try named("small-get-h2-64"), try named("slow-10000"))
        let none = Abilities(hasGo: false, hasNewerLibcurl: false, fileLimit: "too few files")
        #expect(none.objection(to: .go, http2)?.contains("golang") == true)
        #expect(none.objection(to: .c, http2)?.contains("8.14") == true)
        #expect(none.objection(to: .bluebonnet, slow)?.contains("too few files") == true)
        #expect(none.objection(to: .bluebonnet, try named("small-get-64")) == nil)
        #expect(Abilities(hasNewerLibcurl: false).objection(to: .go, http2) == nil)
        #expect(Abilities().objection(to: .c, slow) == nil)
    }

    @Test("the server's page is the one that a typed call decodes")
    func page() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let size = try ServedFile.medium.write(into: folder)
        let data = try Data(contentsOf: folder.appendingPathComponent("medium.json"))
        #expect(size == data.count)
        #expect((9_000...11_000).contains(size))
        let page = try JSONDecoder().decode(CatalogPage.self, from: data)
        #expect(page.items.last?.price.currency == "USD")
    }

    @Test("a POST sends 1,024 bytes of JSON")
    func document() throws {
        #expect(PostedDocument.data.count == 1024)
        let object = try JSONSerialization.jsonObject(with: PostedDocument.data)
        #expect((object as? [String: Any])?["id"] as? Int == 1042)
    }

    @Test("a thousand hosts are a thousand loopback addresses, used in turn")
    func hosts() throws {
        let url = try #require(URL(string: "http://127.0.0.1:8080/small.json"))
        let rotation = try HostRotation(url, count: 1000)
        let hosts = (0..<1001).compactMap { _ in rotation.next().url?.host }
        #expect(hosts.count == 1001)
        #expect(Set(hosts).count == 1000)
        #expect(hosts.first == hosts.last)
        #expect(hosts.allSatisfy { $0.hasPrefix("127.1.") && !$0.hasSuffix(".0") })
        #expect(rotation.next().url?.absoluteString == "http://127.1.0.2:8080/small.json")
    }

    @Test("runs in several processes are added up to one")
    func sum() {
        let runs = [1.0, 3].map {
            ClientRun(
                seconds: $0, cpuSeconds: 2, requests: 1, bytes: 70, idleMemoryMebibytes: 0,
                peakMemoryMebibytes: 10 * $0
            )
        }
        let sum = ClientRun.sum(runs)
        #expect(sum.requestsPerSecond == 0.5)
        #expect(sum.cpuMicrosecondsPerRequest == 2_000_000)
        #expect(sum.bytes == 140)
        #expect(sum.peakMemoryMebibytes == 30)
    }
}
