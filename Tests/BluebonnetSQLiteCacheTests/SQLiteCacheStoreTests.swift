import Bluebonnet
@testable import BluebonnetCache
@testable import BluebonnetSQLiteCache
import BluebonnetSQLiteCacheProgram
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("A store on disk", .timeLimit(.minutes(1)))
struct SQLiteCacheStoreTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    @Test(
        "a response is found with its body, also by another store and after another opening",
        arguments: [0, 1, 65_536, 65_537, 5_242_880])
    func body(size: Int) async throws {
        let sample = Sample("http://a.test/", size: size)
        do {
            let (store, other) = (fixture.store(), fixture.store())
            #expect(try await store.add(sample))
            for store in [store, other] {
                let found = try #require(try await store.found(sample))
                #expect(found.id == sample.id && found.size == size)
            }
            #expect(fixture.bodyFiles.count == (size > 65_536 ? 1 : 0))
        }
        #expect(try await fixture.store().found(sample)?.id == sample.id)
        #expect(fixture.failures.withLock { $0.isEmpty })
    }

    @Test("a found response has the fields, dates, and selecting fields that were stored")
    func head() async throws {
        var sample = Sample("http://a.test/", size: 10, version: 7)
        sample.partition = "user \u{0} ä"
        sample.selecting = ["accept": "text/plain", "x-none": nil]
        let response = try sample.response()
        let store = fixture.store()
        #expect(try await store.add(sample))
        try await store.settle()
        let found = try #require(try await fixture.store().responses(for: sample).first)
        #expect(found.id == response.id && found.key == response.key && found.statusCode == 200)
        #expect(found.fields == response.fields && found.selectingFields == sample.selecting)
        #expect(found.requestDate == response.requestDate)
        #expect(found.responseDate == response.responseDate && found.responseInstant == nil)
    }

    @Test("any range of a body is read, in pieces of any size", arguments: [50_000, 500_000])
    func ranges(size: Int) async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: size)
        try await store.add(sample)
        let response = try #require(try await store.responses(for: sample).first)
        let body = try #require(await store.body(of: response))
        let bytes = sample.body
        let ranges = [
            0..<1, 0..<size, 17..<40_017, size - 3..<size, size..<size, size - 5..<size + 5,
        ]
        for range in ranges {
            for limit in [999, 65_536, 10_000_000] {
                #expect(try await body.hasBytes(of: bytes, range, upTo: limit), "\(range)")
            }
        }
    }

    @Test(
        "a body that is removed while it is open is read to its end", arguments: [50_000, 500_000])
    func removedWhileRead(size: Int) async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: size)
        try await store.add(sample)
        let response = try #require(try await store.responses(for: sample).first)
        let body = try #require(await store.body(of: response))
        store.remove(response)
        #expect(try await store.responses(for: sample).isEmpty)
        try await fixture.until { fixture.bodyFiles.isEmpty }
        #expect(try await body.hasBytes(of: sample.body))
        #expect(await store.body(of: response) == nil)
    }

    @Test("a response takes the place of one with equal selecting fields, and no other")
    func replacing() async throws {
        let store = fixture.store()
        var samples: [Sample] = []
        for (partition, accept) in [("", "a"), ("", "b"), ("x", "a"), ("", nil)]
            as [(String, String?)]
        {
            for version in 1...2 {
                var sample = Sample("http://a.test/", size: 100_000, version: version)
                (sample.partition, sample.selecting) = (partition, ["accept": accept])
                #expect(try await store.add(sample))
                samples.append(sample)
            }
        }
        let found = try await store.responses(for: samples[0]).map(\.id)
        #expect(Set(found) == [samples[1].id, samples[3].id, samples[7].id])
        #expect(try await store.responses(for: samples[4]).map(\.id) == [samples[5].id])
        try await fixture.until { fixture.bodyFiles.count == 4 }
    }

    @Test("an update changes the head, and keeps the body")
    func update() async throws {
        let store = fixture.store()
        for size in [1_000, 100_000] {
            let sample = Sample("http://a.test/\(size)", size: size)
            try await store.add(sample)
            var changed = sample
            changed.selecting = ["accept": "x"]
            let response = try sample.response().updated(
                with: [Exchange.Field(name: "X-New", value: "1")], requestDate: Date(),
                responseDate: Date(), instant: .zero)
            store.update(response)
            let found = try #require(try await store.responses(for: sample).first)
            #expect(found.fields.contains { $0.name == "X-New" })
            #expect(try await store.found(sample)?.id == sample.id)
            // Without a response, there is nothing to change.
            store.remove(response)
            store.update(response)
            #expect(try await store.responses(for: sample).isEmpty)
        }
    }

    @Test("what is removed is gone: one response, a URL in all partitions, or everything")
    func removal() async throws {
        let store = fixture.store()
        func fill() async throws {
            for url in ["http://a.test/", "http://b.test/"] {
                for partition in ["", "x"] {
                    for size in [10, 100_000] {
                        var sample = Sample(url, size: size)
                        (sample.partition, sample.selecting) = (partition, ["size": "\(size)"])
                        try await store.add(sample)
                    }
                }
            }
        }
        func count(_ url: String, _ partition: String) async throws -> Int {
            var sample = Sample(url, size: 0)
            sample.partition = partition
            return try await store.responses(for: sample).count
        }
        try await fill()
        store.remove(
            try #require(try await store.responses(for: Sample("http://a.test/", size: 0)).first))
        #expect(try await count("http://a.test/", "") == 1)
        store.removeAll(for: "http://a.test/")
        #expect(try await count("http://a.test/", "") == 0)
        #expect(try await count("http://a.test/", "x") == 0)
        #expect(try await count("http://b.test/", "x") == 2)
        try await fixture.until { fixture.bodyFiles.count == 2 }
        store.removeAll()
        #expect(try await count("http://b.test/", "x") == 0)
        try await fixture.until { fixture.bodyFiles.isEmpty }
        try await fill()
        #expect(try await count("http://b.test/", "x") == 2)
        // Another store sees the same.
        #expect(try await fixture.store().found(Sample("http://b.test/", size: 0)) != nil)
        #expect(fixture.failures.withLock { $0.isEmpty })
    }

    @Test("a look-up finds what was committed before it", arguments: [100, 300_000])
    func order(size: Int) async throws {
        let store = fixture.store()
        for version in 0..<50 {
            let sample = Sample("http://a.test/", size: size, version: version)
            try await store.add(sample)
            #expect(try await store.found(sample)?.version == version)
            if version % 2 == 0 {
                store.removeAll(for: sample.url)
                #expect(try await store.found(sample) == nil)
            }
        }
    }

    @Test("a body that is being written can be read, also after its end", arguments: [true, false])
    func readingBack(commits: Bool) async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: 300_000)
        let body = sample.body
        let writer = try #require(store.store(try sample.response()))
        func check(_ count: Int) async {
            for start in [0, count / 2, count - 1] {
                let read = await answered { writer.read(start..<count, answer: $0) }
                let bytes = read ?? Data()
                #expect(!bytes.isEmpty && bytes == body[start..<start + bytes.count])
            }
            let beyond = await answered { writer.read(count..<count + 10, answer: $0) }
            #expect(beyond == nil)
        }
        for start in stride(from: 0, to: 300_000, by: 30_000) {
            let isWritten = await answered {
                writer.write(body[start..<start + 30_000], whenWritten: $0)
            }
            #expect(isWritten)
            await check(start + 30_000)
        }
        #expect(try await store.responses(for: sample).isEmpty)
        if commits { writer.commit() } else { writer.discard() }
        await check(300_000)
        #expect(try await store.responses(for: sample).isEmpty == !commits)
        try await fixture.until { fixture.bodyFiles.isEmpty == !commits }
        store.removeAll(for: sample.url)
        try await store.settle()
        await check(300_000)
    }

    @Test("a writer that is released, or whose body is too large, leaves nothing")
    func released() async throws {
        let store = fixture.store(1_000_000)
        let sample = Sample("http://a.test/", size: 300_000)
        do {
            let writer = try #require(store.store(try sample.response()))
            _ = await answered { writer.write(sample.body, whenWritten: $0) }
            #expect(fixture.bodyFiles.count == 1)
        }
        try await fixture.until { fixture.bodyFiles.isEmpty }
        #expect(try await !store.add(Sample("http://a.test/", size: 1_200_000)))
        try await fixture.until { fixture.bodyFiles.isEmpty }
        // The room of both is free again.
        #expect(try await store.add(Sample("http://b.test/", size: 700_000)))
        #expect(try await store.found(Sample("http://b.test/", size: 0)) != nil)
    }

    @Test("a folder is also found behind a symbolic link")
    func symbolicLink() async throws {
        let folder = fixture.directory.file("elsewhere")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        // Whatever `umask` another test sets meanwhile.
        #expect(chmod(folder.path, 0o700) == 0)
        try FileManager.default.createSymbolicLink(at: fixture.folder, withDestinationURL: folder)
        let store = fixture.store()
        try await store.add(Sample("http://a.test/", size: 100_000))
        #expect(try await store.found(Sample("http://a.test/", size: 0)) != nil)
        let failures = fixture.failures.withLock { $0 }
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test("only this user can read what is stored")
    func modes() async throws {
        let former = umask(0)
        defer { umask(former) }
        let store = fixture.store()
        try await store.add(Sample("http://a.test/", size: 100_000))
        try await store.settle()
        let manager = FileManager.default
        func mode(_ name: String) throws -> Int? {
            try manager.attributesOfItem(atPath: fixture.folder.path + name)[.posixPermissions]
                as? Int
        }
        for name in ["", "/bodies"] { #expect(try mode(name) == 0o700, "\(name)") }
        let body = try #require(fixture.bodyFiles.first)
        for name in [
            "/cache.sqlite", "/cache.sqlite-wal", "/cache.sqlite-shm", "/bodies/\(body)", "/lock",
        ] {
            #expect(try mode(name) == 0o600, "\(name)")
        }
    }
}
