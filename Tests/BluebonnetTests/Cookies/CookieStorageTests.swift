import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("CookieStorage", .timeLimit(.minutes(5)))
struct CookieStorageTests {
    @Test("concurrent stores, sends and removals lose nothing")
    func threads() async throws {
        let storage = CookieStorage()
        let urls = try (0..<4).map { try #require(URL(string: "https://h\($0).example.com/")) }
        let faults = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for (thread, url) in urls.enumerated() {
                group.addTask {
                    await onOwnThread {
                        for round in 0..<500 where !Self.works(storage, url, thread, round) {
                            faults.withLock { $0 += 1 }
                        }
                    }
                }
            }
        }
        #expect(faults.withLock { $0 } == 0)
        #expect(storage.count == urls.count + 1)
        #expect(storage.jar.all.count == urls.count + 1)
    }

    /// Returns whether a thread finds the cookie that it has stored itself.
    private static func works(
        _ storage: CookieStorage, _ url: URL, _ thread: Int, _ round: Int
    ) -> Bool {
        storage.store(
            ["own=\(round)", "shared=\(thread); Domain=example.com", "gone=x"], from: url, at: start
        )
        storage.remove(name: "gone", domain: "h\(thread).example.com", path: "/")
        if round % 50 == 0 { storage.removeExpired(at: start) }
        let text = storage.cookieHeader(for: url, at: start) ?? ""
        let pairs = text.components(separatedBy: "; ")
        // The threads race for the value and the position of "shared".
        return pairs.count == 2 && pairs.contains("own=\(round)") && text.contains("shared=")
    }

    @Test("reading the jar returns a snapshot, and setting it replaces every cookie")
    func snapshot() throws {
        let storage = CookieStorage()
        #expect(storage.isEmpty)
        let url = try #require(URL(string: "https://www.example.com/"))
        storage.store(["a=1"], from: url, at: start)
        var jar = storage.jar
        storage.store(["a=2"], from: url, at: start)
        #expect(try jar.sent() == "a=1")
        try jar.store("b=3")
        #expect(storage.cookieHeader(for: url, at: start) == "a=2")
        storage.jar = jar
        #expect(storage.cookieHeader(for: url, at: start) == "a=1; b=3")
        storage.removeAll()
        #expect(storage.isEmpty)
    }

    @Test("a storage behaves like a jar")
    func sameAsJar() throws {
        let url = try #require(URL(string: "https://www.example.com/"))
        let storage = CookieStorage()
        storage.setCookie(try CookieJarTests.cookie())
        storage.setCookie(try CookieJarTests.cookie("bad", "x;y"))
        storage.store(["c=d; Max-Age=10", "bad\u{0}=x"], from: url, at: start)
        #expect(storage.cookies.map(\.name) == ["a", "c"])
        storage.removeSessionCookies()
        #expect(storage.cookieHeader(for: url, at: start) == "c=d")
        storage.removeExpired(at: start + 10)
        #expect(storage.cookieHeader(for: url, at: start) == nil)
    }

    @Test("a storage is written on request and read back")
    func file() throws {
        try CookieFileTests.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            let url = try #require(URL(string: "https://www.example.com/"))
            let storage = CookieStorage()
            storage.store(["a=b"], from: url, at: start)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try storage.save(to: file, includingSessionCookies: true)
            let read = try CookieStorage(contentsOf: file)
            #expect(read.cookieHeader(for: url) == "a=b")
        }
    }
}
