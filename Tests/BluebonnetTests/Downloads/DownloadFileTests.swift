import BluebonnetTransport
import Foundation
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("A download's file", .timeLimit(.minutes(5)))
struct DownloadFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("it is hidden, empty and private to its owner while it is written")
    func temporary() async throws {
        let file = try DownloadFile.make(in: directory.url)
        let status = try #require(file.url.fileStatus)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(file.url.lastPathComponent.hasPrefix(".bluebonnet-"))
        #expect(try directory.names == [file.url.lastPathComponent])
        _ = await file.write([[1]])
    }

    @Test("it has the chunks in order, and each byte is reported as written")
    func chunks() async throws {
        let file = try DownloadFile.make(in: directory.url)
        #expect(await file.write([[1, 2], [], [3]]) == 3)
        #expect(await file.write([]) == 0)
        #expect(await file.write([[4]]) == 1)
        #expect(try await file.finish() == 4)
        #expect(try file.url.bytes == [1, 2, 3, 4])
    }

    @Test("chunks are released before the completion is called")
    func release() async throws {
        let gate = DispatchSemaphore(value: 0)
        var gated = FileSystem.linux
        gated.write = { (file, pieces, offset) throws(SystemError) in
            gate.wait()
            return try FileSystem.linux.write(file, pieces, offset)
        }
        let file = try DownloadFile.make(in: directory.url, fileSystem: gated)
        let isFreed = Recorder<Bool>()
        func send() throws {
            let storage = try #require(BodyStorage(capacity: 8))
            storage.bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 8)
            weak let held = storage
            file.write([Exchange.Chunk(storage: storage, range: 0..<8)]) { _ in
                isFreed.add(held == nil)
            }
        }
        try send()
        gate.signal()
        #expect(await isFreed.wait(for: 1) == [true])
    }

    @Test("more chunks than one system call takes, and short writes, are written")
    func manyChunks() async throws {
        let bytes = sampleBytes(5000)
        for limit in [Int.max, 3] {
            let file = try DownloadFile.make(
                in: directory.url, fileSystem: limit == .max ? .linux : .linux.writingAtMost(limit)
            )
            #expect(await file.write(bytes.map { [$0] }) == 5000)
            #expect(try await file.finish() == 5000)
            #expect(try file.url.bytes == bytes)
        }
    }

    @Test("any chunks, short writes, interruptions and restarts give the latest bytes")
    func random() async throws {
        for seed in 0..<30 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var fileSystem = FileSystem.linux
            let limit = Int.random(in: 1...2000, using: &generator)
            fileSystem = fileSystem.writingAtMost(limit)
            let interrupted = Int.random(in: 1...9, using: &generator)
            fileSystem = fileSystem.failing(.write, FileFault(EINTR, at: interrupted...50))
            let file = try DownloadFile.make(in: directory.url, fileSystem: fileSystem)
            var expected: [UInt8] = []
            for step in 0..<20 {
                if Int.random(in: 0..<12, using: &generator) == 0 {
                    file.restart()
                    expected = []
                }
                let pieces = (0..<Int.random(in: 0...5, using: &generator)).map { piece in
                    let count = Int.random(in: 0...900, using: &generator)
                    return sampleBytes(count, seed: seed * 1000 + UInt64(step * 10 + piece))
                }
                expected += pieces.joined()
                file.write(pieces.map { Exchange.Chunk(Data($0)) }) { _ in }
            }
            let destination = directory.file("\(seed)")
            try await file.move(to: destination)
            #expect(try destination.bytes == expected)
        }
    }

    @Test("opening does not block the caller, and reports where it failed")
    func asynchronousOpening() async throws {
        let opened = Recorder<Result<DownloadFile, FileFailure>>()
        let gate = DispatchSemaphore(value: 0)
        var slow = FileSystem.linux
        slow.open = { (path, flags) throws(SystemError) in
            gate.wait()
            return try FileSystem.linux.open(path, flags)
        }
        DownloadFile.open(in: directory.url, fileSystem: slow) { opened.add($0) }
        DownloadFile.open(in: directory.file("none")) { opened.add($0) }
        // The first disk hangs, and the second is not affected.
        await opened.wait(for: 1)
        gate.signal()
        let results = await opened.wait(for: 2)
        #expect(throws: FileFailure.self) { try results[0].get() }
        #expect(try results[1].get().url.fileStatus != nil)
    }

    @Test("a disk that hangs delays only its own download")
    func slowDisk() async throws {
        let gate = DispatchSemaphore(value: 0)
        var slow = FileSystem.linux
        slow.write = { (file, pieces, offset) throws(SystemError) in
            gate.wait()
            return try FileSystem.linux.write(file, pieces, offset)
        }
        let slowFiles = try (0..<20).map { _ in
            try DownloadFile.make(in: directory.url, fileSystem: slow)
        }
        let done = Recorder<Int>()
        for file in slowFiles { file.write([Exchange.Chunk(Data([1]))]) { done.add($0) } }
        let quick = try DownloadFile.make(in: directory.url)
        #expect(await quick.write([[1, 2, 3]]) == 3)
        #expect(done.count == 0)
        for _ in slowFiles { gate.signal() }
        await done.wait(for: 20)
    }

    @Test("a missing directory is created on request, also by several threads at once")
    func intermediateDirectories() async throws {
        let deep = directory.file("a").appendingPathComponent("b/c")
        let missing = await failure { () throws(FileFailure) in
            _ = try DownloadFile.make(in: deep)
        }
        #expect(missing?.systemErrorNumber == ENOENT)
        #expect(missing?.operation == .create)
        #expect(missing?.description.contains("createIntermediateDirectories") == true)
        let opened = Recorder<Result<DownloadFile, FileFailure>>()
        for _ in 0..<8 {
            DownloadFile.open(in: deep, options: .createIntermediateDirectories) { opened.add($0) }
        }
        for result in await opened.wait(for: 8) { _ = try result.get() }
    }

    @Test("a path that is not a writable directory fails at once")
    func badDirectory() async throws {
        let plain = try directory.write([1], to: "plain")
        for options in [[], DownloadOptions.createIntermediateDirectories] {
            for url in [plain, plain.appendingPathComponent("below")] {
                let failure = await failure { () throws(FileFailure) in
                    _ = try DownloadFile.make(in: url, options: options)
                }
                #expect(failure?.systemErrorNumber == ENOTDIR)
            }
        }
        let remote = await failure { () throws(FileFailure) in
            _ = try DownloadFile.make(in: URL(string: "https://example.com/a")!)
        }
        #expect(remote?.message.contains("not a file URL") == true)
        let cut = await failure { () throws(FileFailure) in
            _ = try DownloadFile.make(in: URL(string: "file:///tmp/a%00b")!)
        }
        #expect(cut?.systemErrorNumber == nil)
        let denied = await failure { () throws(FileFailure) in
            _ = try DownloadFile.make(in: directory.url, fileSystem: .failing(.open, EACCES))
        }
        #expect(denied?.systemErrorNumber == EACCES)
        #expect(try directory.names == ["plain"])
    }

    @Test(
        "a directory without write permission fails",
        .disabled(if: geteuid() == 0, "root may write everywhere")
    )
    func deniedDirectory() async throws {
        chmod(directory.url.path, 0o500)
        defer { chmod(directory.url.path, 0o700) }
        let denied = await failure { () throws(FileFailure) in
            _ = try DownloadFile.make(in: directory.url)
        }
        #expect(denied?.systemErrorNumber == EACCES)
    }

    @Test("a name that is in use is not reused")
    func takenName() async throws {
        let taken = FileFault(EEXIST, at: 1...3)
        let file = try DownloadFile.make(
            in: directory.url, fileSystem: .linux.failing(.open, taken)
        )
        #expect(taken.calls == 4)
        _ = await file.write([[1]])
        let always = await failure { () throws(FileFailure) in
            _ = try DownloadFile.make(in: directory.url, fileSystem: .failing(.open, EEXIST))
        }
        #expect(always?.systemErrorNumber == EEXIST)
    }
}
