import Bluebonnet
import BluebonnetCache
@testable import BluebonnetSQLiteCache
import BluebonnetSQLiteCacheProgram
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("A folder of several processes", .timeLimit(.minutes(5)))
struct ProcessTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    /// Checks every response and every file.
    private func check(_ store: SQLiteCacheStore, comment: Comment) async throws -> Int {
        var count = 0
        for number in 0..<200 {
            let sample = Sample("http://a.test/\(number)", size: 0)
            let responses = try await store.responses(for: sample)
            #expect(responses.count <= 1, comment)
            for response in responses {
                // There is a row, and so there must be a body.
                let body = try #require(await store.body(of: response), comment)
                #expect(try await body.hasBytes(of: Sample(response).body), comment)
                count += 1
            }
        }
        // Files of which nobody knows are removed after the opening.
        try await fixture.until {
            fixture.bodyFiles.count
                == fixture.number("SELECT count(*) FROM responses WHERE fileSize > 0")
        }
        #expect(
            fixture.number("SELECT sum(fileSize) FROM responses")
                == fixture.number("SELECT fileSize FROM totals"), comment)
        #expect(
            fixture.number("SELECT count(*) FROM responses WHERE fileSize = 0")
                == fixture.number("SELECT count(*) FROM bodies"), comment)
        return count
    }

    @Test(
        "a process that is killed at any moment leaves no wrong body, and no file that is not used")
    func killed() async throws {
        let seed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))
        var generator = SeededGenerator(seed: seed)
        var (found, runs) = (0, 0)
        for run in 0..<UInt64(100) {
            let count = Int.random(in: 1...60, using: &generator)
            let status = try await fixture.runProgram(
                5_000_000, seed: seed &+ run, count, kills: true)
            #expect(status == 128 + SIGKILL)
            runs += 1
            // Most find a folder that killed processes have left.
            if run % 5 == 4 {
                found += try await check(
                    fixture.store(5_000_000), comment: "BLUEBONNET_SEED=\(seed)")
            }
        }
        #expect(found > 100 && runs == 100)
        #expect(fixture.failures.withLock { $0.isEmpty })
    }

    @Test("two stores and another process use a folder at the same time")
    func shared() async throws {
        let seed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))
        let stores = [fixture.store(3_000_000), fixture.store(3_000_000)]
        let isRunning = Locked(true)
        let largest = Locked(0)
        let found = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask { [fixture] in
                    var generator = SeededGenerator(seed: seed &+ UInt64(index))
                    while isRunning.withLock({ $0 }) {
                        let sample = Sample.random(using: &generator)
                        switch Int.random(in: 0..<10, using: &generator) {
                        case 0: store.removeAll(for: sample.url)
                        case 1...4: try await store.add(sample)
                        default:
                            if try await store.found(sample) != nil { found.withLock { $0 += 1 } }
                        }
                        let size = fixture.diskSize
                        largest.withLock { $0 = max($0, size) }
                    }
                }
            }
            // On a slow disk the programs may be over before the stores have found anything.
            var program: UInt64 = 10
            while program < 13 || found.withLock({ $0 }) <= 50 {
                let status = try await fixture.runProgram(
                    3_000_000, seed: seed &+ program, 1_000, kills: false)
                try #require(status == 0)
                program += 1
            }
            isRunning.withLock { $0 = false }
            try await group.waitForAll()
        }
        for store in stores {
            _ = try await check(store, comment: "BLUEBONNET_SEED=\(seed)")
        }
        let (foundCount, largestSize) = (found.withLock { $0 }, largest.withLock { $0 })
        #expect(foundCount > 50)
        #expect(largestSize < 12_000_000)
        let failures = fixture.failures.withLock { $0 }
        // "database is locked" and "could not lock".
        #expect(failures.allSatisfy { $0.message.contains("lock") }, "\(failures)")
    }

    @Test("a store that is opened leaves a body that another one is writing")
    func openedWhileWriting() async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: 300_000)
        let writer = try #require(store.store(try sample.response()))
        func write(_ bytes: Data) async -> Bool {
            await answered { writer.write(bytes, whenWritten: $0) }
        }
        #expect(await write(sample.body.prefix(100_000)))
        // What a process that was killed has left.
        let orphan = fixture.folder.path + "/bodies/" + UUID().uuidString
        try Data(count: 70_000).write(to: URL(fileURLWithPath: orphan))
        let other = fixture.store()
        try await other.settle()
        try await fixture.until { !FileManager.default.fileExists(atPath: orphan) }
        #expect(fixture.bodyFiles.count == 1)
        #expect(await write(sample.body.dropFirst(100_000)))
        writer.commit()
        #expect(try await store.found(sample) != nil)
    }

    @Test("a body that may not have reached the disk before a power cut is not served after it")
    func powerCut() async throws {
        let (lost, kept) = (
            Sample("http://a.test/", size: 300_000), Sample("http://b.test/", size: 300_000)
        )
        let former = fixture.store()
        try await former.add(kept)
        // Another change notes what has reached the disk meanwhile.
        try await fixture.until {
            try await former.add(Sample("http://c.test/", size: 1))
            try await former.settle()
            return fixture.number("SELECT count(*) FROM responses WHERE boot IS NOT NULL") == 0
        }
        try await former.add(lost)
        try await former.settle()
        #expect(try await fixture.store().found(lost) != nil)
        // As if the machine had been started anew before that.
        try await fixture.until {
            fixture.number(
                "UPDATE responses SET boot = 'former' WHERE url = 'http://a.test/' RETURNING 1")
                == 1
        }
        let store = fixture.store()
        #expect(try await store.found(lost) == nil)
        #expect(try await store.found(kept) != nil)
        try await fixture.until { fixture.bodyFiles.count == 1 }
        withExtendedLifetime(former) {}
    }
}
