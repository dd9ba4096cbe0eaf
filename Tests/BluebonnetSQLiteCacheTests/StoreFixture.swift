import Bluebonnet
@testable import BluebonnetCache
@testable import BluebonnetSQLiteCache
import BluebonnetSQLiteCacheProgram
import BluebonnetTestSupport
import CBluebonnetSQLite
import Foundation
import Testing

/// A folder for stores, which is removed with the object.
final class StoreFixture: Sendable {
    let directory: ServerDirectory
    let folder: URL
    let failures = Locked<[CacheStoreFailure]>([])

    init() throws {
        directory = try ServerDirectory(for: "cache", in: Self.memory)
        folder = directory.file("store")
    }

    /// A folder in memory if there is room; nil for the long tests, which use the disk.
    ///
    /// A store gives up after a quarter of a second, and a disk that others use can take longer.
    private static var memory: String? {
        let folder = "/dev/shm"
        var status = statvfs()
        guard ProcessInfo.processInfo.environment["BLUEBONNET_LOAD"] != "full",
            access(folder, W_OK) == 0, statvfs(folder, &status) == 0,
            status.f_bavail * status.f_frsize > 1_000_000_000
        else { return nil }
        return folder
    }

    /// Opens a store that tries again at once after a failure.
    func store(_ maximumSize: Int = 100_000_000) -> SQLiteCacheStore {
        let store = SQLiteCacheStore(
            folder: folder, maximumSize: maximumSize, retryInterval: .zero,
            synchronizingDelay: .milliseconds(1))
        store.onFailure { [failures] failure in failures.withLock { $0.append(failure) } }
        return store
    }

    var database: String { folder.path + "/cache.sqlite" }

    /// The names of the files of bodies.
    var bodyFiles: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/bodies")) ?? []
    }

    /// The bytes that the folder takes.
    var diskSize: Int {
        let files = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        return files.reduce(0) { size, name in
            var status = stat()
            return lstat("\(folder.path)/\(name)", &status) == 0
                ? size + Int(status.st_blocks) * 512 : size
        }
    }

    /// Returns the number that is the result of a query.
    func number(_ query: String) -> Int? {
        var handle: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(handle)
        }
        var isKept: Int32 = 1
        guard sqlite3_open_v2(database, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            sqlite3_busy_timeout(handle, 5_000) == SQLITE_OK,
            sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept) == SQLITE_OK,
            sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return Int(sqlite3_column_int64(statement, 0))
    }

    /// Runs the program that stores responses, and returns its exit status.
    func runProgram(_ maximumSize: Int, seed: UInt64, _ count: Int, kills: Bool) async throws
        -> Int32
    {
        let program = try #require(Self.program)
        let child = try await ChildProcess.start(
            program,
            [folder.path, "\(maximumSize)", "\(seed)", "\(count)"] + [kills ? "kill" : "share"],
            in: directory, output: "output-\(seed)")
        return try await child.wait(seconds: 60)
    }

    static let program: String? = {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "BluebonnetSQLiteCacheProgram")
        return FileManager.default.isExecutableFile(atPath: program.path) ? program.path : nil
    }()

    /// Waits until a condition holds, which something else is about to bring about.
    func until(_ holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while try await !holds() {
            guard ContinuousClock.now < end else { throw ServerFailure("it did not come") }
            await Task.yield()
        }
    }
}

extension SQLiteCacheStore {
    func body(of response: StoredResponse) async -> CachedBody? {
        await answered { body(of: response, answer: $0) }
    }

    /// Finds the newest response for a sample's URL, and checks that its body is the right one.
    ///
    /// - Returns: What was found; nil if there is nothing.
    func found(_ sample: Sample) async throws -> Sample? {
        guard let response = try await responses(for: sample).first,
            let body = await body(of: response)
        else { return nil }
        let found = Sample(response)
        let bytes = try await body.bytes()
        guard body.count == found.size, bytes == found.body else {
            throw ServerFailure("\(found) has a body of \(bytes.count) wrong bytes")
        }
        return found
    }

    /// Waits until everything is done that was called before.
    func settle() async throws {
        _ = try await responses(for: Sample("http://settle.test/", size: 0))
    }
}

extension CachedBody {
    /// Whether a range is that of some bytes, which the test's report does not contain.
    func hasBytes(of data: Data, _ range: Range<Int>? = nil, upTo limit: Int = 100_000) async throws
        -> Bool
    {
        let expected = data[(range ?? 0..<count).clamped(to: 0..<data.count)]
        return try await bytes(range, upTo: limit) == expected
    }

    func bytes(_ range: Range<Int>? = nil, upTo limit: Int = 100_000) async throws -> Data {
        let source = source(range ?? 0..<count)
        var bytes = Data()
        while true {
            let wakes = AsyncStream.makeStream(of: Void.self)
            switch try source.next(upTo: limit, whenReady: { wakes.continuation.yield() }) {
            case .bytes(let piece): bytes += piece
            case .end: return bytes
            case .later: for await _ in wakes.stream { break }
            }
        }
    }
}
