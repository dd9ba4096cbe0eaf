import Bluebonnet
@testable import BluebonnetCache
@testable import BluebonnetSQLiteCache
import BluebonnetSQLiteCacheProgram
import BluebonnetTestSupport
import CBluebonnetSQLite
import Foundation
import Testing

@Suite("A store on disk that fails", .timeLimit(.minutes(2)))
struct FailureTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private var messages: [String] { fixture.failures.withLock { $0.map(\.message) } }

    /// Waits for a failure whose message contains some texts.
    private func hears(_ texts: String...) async throws {
        try await fixture.until {
            messages.contains { message in texts.allSatisfy { message.contains($0) } }
        }
    }

    /// Stores a response and finds it, which works again after some attempts.
    private func works(_ store: SQLiteCacheStore) async throws {
        let sample = Sample("http://works.test/", size: 100_000)
        try await fixture.until {
            try await store.add(sample)
            return try await store.found(sample) != nil
        }
    }

    enum Damage: CaseIterable {
        case header, middle, garbage, truncated, otherSchema, otherVersion, lostTable
    }

    private func write(_ bytes: Data, at offset: UInt64, of file: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private func damage(_ damage: Damage) throws {
        let path = fixture.database
        // Everything is in the database.
        _ = fixture.number("PRAGMA wal_checkpoint(TRUNCATE)")
        let noise = Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        switch damage {
        case .header: try write(noise.prefix(100), at: 0, of: path)
        case .middle:
            for page in 2..<150 { try write(noise, at: UInt64(page) * 4_096, of: path) }
        case .garbage:
            try write(noise, at: 0, of: path)
            #expect(truncate(path, 4_096) == 0)
        case .truncated: #expect(truncate(path, 20 * 4_096 + 17) == 0)
        case .otherSchema:
            #expect(truncate(path, 0) == 0)
            _ = fixture.number("CREATE TABLE mine (a)")
        case .otherVersion: _ = fixture.number("PRAGMA user_version = 77")
        case .lostTable: _ = fixture.number("DROP TABLE bodies")
        }
    }

    private func fill(_ store: SQLiteCacheStore) async throws {
        for number in 0..<40 {
            try await store.add(Sample("http://a.test/\(number)", size: number % 8 * 10_000))
        }
        try await store.settle()
    }

    @Test(
        "a damaged database is made anew, says so, and no wrong body is served",
        arguments: Damage.allCases)
    func damagedBeforeOpening(kind: Damage) async throws {
        try await fill(fixture.store())
        // The former store has been closed: SQLite has emptied its log.
        try await fixture.until { fixture.directory.data(of: "store/cache.sqlite-wal").isEmpty }
        try damage(kind)
        let store = fixture.store()
        for number in 0..<40 {
            // It throws if the body is wrong.
            _ = try await store.found(Sample("http://a.test/\(number)", size: 0))
        }
        try await works(store)
        try await hears("cache.sqlite", "made anew")
        // Bodies of the former database are gone.
        try await fixture.until {
            fixture.bodyFiles.count
                == fixture.number("SELECT count(*) FROM responses WHERE fileSize > 0")
        }
    }

    @Test(
        "a database that is damaged while it is open is made anew",
        arguments: [Damage.middle, .garbage])
    func damagedWhileOpen(kind: Damage) async throws {
        let store = fixture.store()
        try await fill(store)
        try damage(kind)
        for number in 0..<40 {
            _ = try await store.found(Sample("http://a.test/\(number)", size: 0))
            try await store.add(Sample("http://b.test/\(number)", size: 3_000))
        }
        try await works(store)
        #expect(try await fixture.store().found(Sample("http://works.test/", size: 0)) != nil)
    }

    @Test("a body that was overwritten in the database is not served")
    func overwrittenBody() async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: 60_000)
        try await store.add(sample)
        try await store.settle()
        _ = fixture.number("PRAGMA wal_checkpoint(TRUNCATE)")
        let place = try #require(
            fixture.directory.data(of: "store/cache.sqlite").range(of: sample.body[30_000..<30_064])
        )
        try write(Data("wrong".utf8), at: UInt64(place.lowerBound), of: fixture.database)
        let former = fixture.number("SELECT count(*) FROM responses")
        let other = fixture.store()
        #expect(try await other.found(sample) == nil)
        try await hears("a body has other bytes")
        // It may have more wrong pages.
        try await other.settle()
        #expect(former == 1 && fixture.number("SELECT count(*) FROM responses") == 0)
    }

    @Test("a head that was overwritten in the database is not found, and the database is made anew")
    func overwrittenHead() async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: 10, version: 123_456_789)
        try await store.add(sample)
        try await store.settle()
        _ = fixture.number("PRAGMA wal_checkpoint(TRUNCATE)")
        let place = try #require(
            fixture.directory.data(of: "store/cache.sqlite").range(of: Data("123456789".utf8)))
        try write(Data("9".utf8), at: UInt64(place.lowerBound), of: fixture.database)
        let other = fixture.store()
        #expect(try await other.responses(for: sample).isEmpty)
        try await hears("a head has other bytes")
        try await other.settle()
        #expect(fixture.number("SELECT count(*) FROM responses") == 0)
        try await works(other)
    }

    @Test("a store whose database another one has replaced removes what is in the new one")
    func replacedByAnother() async throws {
        let (one, other) = (fixture.store(), fixture.store())
        let sample = Sample("http://a.test/", size: 10)
        try await other.add(sample)
        #expect(try await other.found(sample) != nil)
        one.removeAll()
        try await one.add(sample)
        #expect(try await one.found(sample) != nil)
        other.removeAll()
        #expect(try await other.found(sample) == nil)
        #expect(try await one.found(sample) == nil)
        #expect(messages.isEmpty)
    }

    @Test("a body whose file is lost, or has another size, is not served, and forgotten")
    func lostFiles() async throws {
        let store = fixture.store()
        for size in [100_000, 100_001, 100_002] {
            try await store.add(Sample("http://a.test/\(size)", size: size))
        }
        try await store.settle()
        for name in fixture.bodyFiles {
            let path = fixture.folder.path + "/bodies/" + name
            var status = stat()
            #expect(stat(path, &status) == 0)
            switch status.st_size {
            case 100_000: #expect(unlink(path) == 0)
            case 100_001: #expect(truncate(path, 50_000) == 0)
            default:
                #expect(unlink(path) == 0)
                #expect(symlink("/etc/passwd", path) == 0)
            }
        }
        for size in [100_000, 100_001, 100_002] {
            let sample = Sample("http://a.test/\(size)", size: size)
            let response = try #require(try await store.responses(for: sample).first)
            #expect(await store.body(of: response) == nil)
            #expect(try await store.responses(for: sample).isEmpty)
        }
        #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
    }

    @Test("a file that shrinks while it is read fails the reader, and is forgotten")
    func shrinkingFile() async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: 3_000_000)
        try await store.add(sample)
        let response = try #require(try await store.responses(for: sample).first)
        let body = try #require(await store.body(of: response))
        let name = try #require(fixture.bodyFiles.first)
        #expect(truncate(fixture.folder.path + "/bodies/" + name, 1_000_000) == 0)
        let failure = try await #require(throws: Exchange.Failure.self) { try await body.bytes() }
        #expect(failure.message.contains(name))
        #expect(try await store.responses(for: sample).isEmpty)
    }

    @Test("a folder that vanishes while it is used is made anew", arguments: ["", "/bodies"])
    func vanishingFolder(part: String) async throws {
        let store = fixture.store()
        for round in 0..<3 {
            let sample = Sample("http://a.test/\(round)", size: 100_000)
            let small = Sample("http://b.test/\(round)", size: 100)
            try await store.add(small)
            try await store.settle()
            let writer = try #require(store.store(try sample.response()))
            func write(_ bytes: Data) async -> Bool {
                await answered { writer.write(bytes, whenWritten: $0) }
            }
            #expect(await write(sample.body.prefix(90_000)))
            try FileManager.default.removeItem(atPath: fixture.folder.path + part)
            _ = await write(sample.body.dropFirst(90_000))
            writer.commit()
            #expect(try await store.found(sample) == nil)
            #expect(try await (store.found(small) == nil) == part.isEmpty)
            try await works(store)
        }
        if part.isEmpty { try await hears("could not find", fixture.folder.path) }
    }

    @Test("a folder that cannot be used fails nothing but the store, and is used once it can be")
    func unusableFolder() async throws {
        try Data("a file".utf8).write(to: fixture.folder)
        let store = fixture.store()
        for size in [100, 100_000] {
            let sample = Sample("http://a.test/", size: size)
            #expect(try await store.add(sample) == (size == 100))
            #expect(try await store.found(sample) == nil)
            store.update(try sample.response())
            store.remove(try sample.response())
            store.removeAll(for: sample.url)
            store.removeAll()
        }
        try await hears("Not a directory")
        let said = messages
        #expect(
            !said.isEmpty && said.allSatisfy { $0.contains(fixture.folder.path) }, "\(said)")
        try FileManager.default.removeItem(at: fixture.folder)
        try await works(store)
    }

    @Test("after a failed attempt, the store waits a second before the next one")
    func rest() async throws {
        try Data("a file".utf8).write(to: fixture.folder)
        let start = ContinuousClock.now
        let store = SQLiteCacheStore(folder: fixture.folder)
        try await store.settle()
        try FileManager.default.removeItem(at: fixture.folder)
        try await works(store)
        #expect(start.duration(to: .now) > .milliseconds(900))
    }

    @Test("what could not be removed is not found until it could be")
    func owedRemoval() async throws {
        let store = fixture.store()
        let (removed, other) = (
            Sample("http://a.test/", size: 10), Sample("http://b.test/", size: 10)
        )
        try await store.add(removed)
        try await store.add(other)
        try await store.settle()
        do {
            let connection = try SQLiteConnection(fixture.database)
            try connection.execute("BEGIN IMMEDIATE")
            store.removeAll(for: removed.url)
            #expect(try await store.found(removed) == nil)
            #expect(try await store.found(other) == nil)
            try await hears("locked")
            try connection.execute("ROLLBACK")
        }
        #expect(try await store.found(other) != nil)
        #expect(try await store.found(removed) == nil)
    }

    @Test("changes that wait for another process hold up look-ups once a second, not each time")
    func pause() async throws {
        let store = SQLiteCacheStore(folder: fixture.folder)
        let sample = Sample("http://a.test/", size: 10)
        try await store.add(sample)
        try await store.settle()
        let connection = try SQLiteConnection(fixture.database)
        try connection.execute("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        for number in 0..<100 { try await store.add(Sample("http://b.test/\(number)", size: 10)) }
        #expect(try await store.found(sample) != nil)
        // One after the other, they would take 25 s.
        #expect(start.duration(to: .now) < .seconds(10))
        try connection.execute("ROLLBACK")
        try await works(store)
    }

    @Test("a database of a process that has stopped in a change holds up no look-up")
    func lockedDatabase() async throws {
        let store = fixture.store()
        let sample = Sample("http://a.test/", size: 10)
        try await store.add(sample)
        try await store.settle()
        let connection = try SQLiteConnection(fixture.database)
        try connection.execute("BEGIN IMMEDIATE")
        try await store.add(Sample("http://b.test/", size: 100_000))
        #expect(try await store.found(sample) != nil)
        #expect(try await store.responses(for: Sample("http://b.test/", size: 0)).isEmpty)
        try await fixture.until { fixture.bodyFiles.isEmpty }
        try connection.execute("ROLLBACK")
        try await works(store)
    }

    /// Runs a script in which `$PROGRAM` stores responses in `$FOLDER`, on a file system of its own.
    private func runOnFileSystem(_ options: String, _ script: String) async throws -> String {
        let directory = fixture.directory
        let start = """
            mkdir mount && mount -t tmpfs -o \(options) none mount && cd mount &&
            FOLDER=$PWD/store PROGRAM='\(try #require(StoreFixture.program))'
            """
        return String(
            decoding: try SystemCommand(
                "unshare", ["-m", "sh", "-c", start + "\n" + script], in: directory
            )
            .output(), as: UTF8.self)
    }

    private static let canMount =
        (try? SystemCommand("unshare", ["-m", "true"]).output()) != nil
    private static let mounting: Comment =
        "mounting a file system takes root, and a root folder that is one of its own"

    @Test(
        "on a full disk, nothing is stored, and what is there is found; with space, it works again",
        .enabled(if: canMount, mounting))
    func fullDisk() async throws {
        let output = try await runOnFileSystem(
            "size=6m",
            """
            set -e
            head -c 2000000 /dev/zero >ballast
            $PROGRAM $FOLDER 100000000 1 0 fill
            cp -a $FOLDER ../store
            """)
        #expect(output.contains("No space left on device"), "\(output)")
        #expect(output.contains("nothing is stored until there is space"), "\(output)")
        #expect(output.hasSuffix("works again\n"), "\(output)")
        let store = fixture.store()
        var count = 0
        for number in 0..<200
        where try await store.found(Sample("http://a.test/\(number)", size: 0)) != nil {
            count += 1
        }
        #expect(count > 30)
    }

    @Test(
        "a folder that may only be read is reported and not used, and used once it may be written",
        .enabled(if: canMount, mounting))
    func readOnlyFolder() async throws {
        let output = try await runOnFileSystem(
            "size=50m",
            """
            set -e
            $PROGRAM $FOLDER 100000000 1 100 share
            mount -o remount,ro none .
            $PROGRAM $FOLDER 100000000 1 100 share
            mount -o remount,rw none .
            echo writable
            $PROGRAM $FOLDER 100000000 1 100 share
            cp -a $FOLDER ../store
            """)
        #expect(output.contains("Read-only file system"), "\(output)")
        #expect(output.hasSuffix("writable\n"), "\(output)")
        #expect(fixture.number("SELECT count(*) FROM responses") ?? 0 > 20)
    }

    @Test(
        "a folder that others can change is not used", arguments: ["", "/bodies", "/cache.sqlite"])
    func foreign(part: String) async throws {
        let sample = Sample("http://a.test/", size: 100)
        let former = fixture.store()
        try await former.add(sample)
        try await former.settle()
        #expect(chmod(fixture.folder.path + part, 0o777) == 0)
        let store = fixture.store()
        #expect(try await store.found(sample) == nil)
        try await hears("could not use")
        #expect(chmod(fixture.folder.path + part, part.hasSuffix("e") ? 0o600 : 0o700) == 0)
        try await works(store)
        withExtendedLifetime(former) {}
    }

    @Test("what was written is read back, although the file for the rest cannot be created")
    func readBack() async throws {
        let store = fixture.store()
        try await store.settle()
        let sample = Sample("http://a.test/", size: 200_000)
        let writer = try #require(store.store(try sample.response()))
        func write(_ bytes: Data) async -> Bool {
            await answered { writer.write(bytes, whenWritten: $0) }
        }
        #expect(await write(sample.body.prefix(60_000)))
        let bodies = fixture.folder.path + "/bodies"
        try FileManager.default.removeItem(atPath: bodies)
        try Data().write(to: URL(fileURLWithPath: bodies))
        #expect(await !write(sample.body.dropFirst(60_000)))
        let bytes = await answered { writer.read(0..<60_000, answer: $0) }
        #expect(bytes == sample.body.prefix(60_000))
    }

    @Test("what must leave and could not be removed is not found after the store has gone either")
    func owed() async throws {
        let sample = Sample("http://a.test/", size: 100)
        do {
            let store = fixture.store()
            try await store.add(sample)
            try await store.settle()
            var handle: OpaquePointer?
            #expect(sqlite3_open_v2(fixture.database, &handle, SQLITE_OPEN_READWRITE, nil) == 0)
            defer { sqlite3_close_v2(handle) }
            #expect(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == 0)
            store.removeAll(for: "http://a.test/")
            try await hears("locked")
        }
        #expect(try await fixture.store().found(sample) == nil)
    }
}
