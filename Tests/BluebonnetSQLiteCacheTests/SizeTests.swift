import Bluebonnet
import BluebonnetCache
import BluebonnetSQLiteCache
import BluebonnetSQLiteCacheProgram
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("The size of a store on disk", .timeLimit(.minutes(30)))
struct SizeTests {
    /// `BLUEBONNET_LOAD=full` stores 10 GB in 100 MB.
    private static let isLong = ProcessInfo.processInfo.environment["BLUEBONNET_LOAD"] == "full"
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    @Test(
        "stays within the bound and 8 MiB, whatever is stored, and storing does not become slower")
    func bound() async throws {
        let (whole, maximumSize) =
            Self.isLong ? (10_000_000_000, 100_000_000) : (150_000_000, 4_000_000)
        let store = fixture.store(maximumSize)
        var generator = SeededGenerator(seed: 5)
        let clock = ContinuousClock()
        var (stored, number, largest, start) = (0, 0, 0, clock.now)
        var times: [Duration] = []
        while stored < whole {
            let largestBody =
                [2_000, 20_000, 60_000, 300_000].randomElement(using: &generator) ?? 0
            let sample = Sample(
                "http://a.test/\(number)", size: Int.random(in: 0...largestBody, using: &generator))
            #expect(try await store.add(sample))
            stored += sample.size
            number += 1
            // Bodies that are coming must have room.
            if number % 8 == 0 { try await store.settle() }
            if number % 100 == 0 {
                #expect(try await store.found(sample) != nil)
                largest = max(largest, fixture.diskSize)
            }
            if number % 1_000 == 0 {
                times.append(start.duration(to: clock.now))
                start = clock.now
            }
        }
        try await store.settle()
        #expect(largest <= maximumSize + 8 * 1_048_576, "\(largest)")
        // It is used to the full.
        #expect(fixture.diskSize > maximumSize / 2, "\(fixture.diskSize)")
        #expect(fixture.failures.withLock { $0 }.isEmpty)
        if Self.isLong {
            let memory = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("Vm") }
            print(
                "largest", largest, "responses", number, "thousands", times.prefix(10),
                times.suffix(10))
            print(memory.joined(separator: ", "))
        }
    }

    @Test("becomes less when a store with a lower bound is opened")
    func lower() async throws {
        do {
            let store = fixture.store()
            for number in 0..<600 {
                try await store.add(
                    Sample("http://a.test/\(number)", size: number % 10 == 0 ? 100_000 : 20_000))
            }
            try await store.settle()
        }
        let size = fixture.diskSize
        let store = fixture.store(1_000_000)
        try await store.settle()
        try await fixture.until { fixture.diskSize < 1_000_000 + 8 * 1_048_576 }
        #expect(size > 16_000_000)
        // The newest is still there.
        #expect(try await store.found(Sample("http://a.test/599", size: 0)) != nil)
        #expect(try await store.found(Sample("http://a.test/0", size: 0)) == nil)
    }

    @Test("what is used again and again is not displaced by a scan")
    func scan() async throws {
        let store = fixture.store(4_000_000)
        let popular = (0..<10).map { Sample("http://popular.test/\($0)", size: $0 * 10_000) }
        for sample in popular { try await store.add(sample) }
        for number in 0..<2_000 {
            try await store.add(Sample("http://a.test/\(number)", size: 8_000))
            if number % 20 == 0 {
                for sample in popular { #expect(try await store.found(sample) != nil) }
            }
        }
        #expect(try await store.found(Sample("http://a.test/0", size: 0)) == nil)
    }

    @Test("a look-up writes nothing")
    func lookups() async throws {
        let store = fixture.store()
        let samples = (0..<20).map { Sample("http://a.test/\($0)", size: $0 * 10_000) }
        for sample in samples { try await store.add(sample) }
        try await store.settle()
        // What has reached the disk is written down once.
        try await fixture.until {
            fixture.number("SELECT count(*) FROM responses WHERE boot IS NOT NULL") == 0
        }
        try await store.settle()
        let log = fixture.directory.data(of: "store/cache.sqlite-wal")
        for sample in samples { #expect(try await store.found(sample) != nil) }
        #expect(fixture.directory.data(of: "store/cache.sqlite-wal") == log)
    }
}
