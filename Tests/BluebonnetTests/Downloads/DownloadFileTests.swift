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
        let file = try await TestedFile.make(in: directory.url)
        let status = try #require(file.url.fileStatus)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(file.url.lastPathComponent.hasPrefix(".bluebonnet-"))
        #expect(try directory.names == [file.url.lastPathComponent])
        _ = await file.write([[1]])
    }

    @Test("it has the chunks in order, and each byte is reported as written")
    func chunks() async throws {
        let file = try await TestedFile.make(in: directory.url)
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
        let file = try await TestedFile.make(in: directory.url, fileSystem: gated)
        let isFreed = Recorder<Bool>()
        func send() throws {
            let storage = try #require(BodyStorage(capacity: 8))
            storage.bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 8)
            weak let held = storage
            file.send([Exchange.Chunk(storage: storage, range: 0..<8)]) { _ in
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
            let file = try await TestedFile.make(
                in: directory.url, fileSystem: limit == .max ? .linux : .linux.writingAtMost(limit)
            )
            #expect(await file.write(bytes.map { [$0] }) == 5000)
            #expect(try await file.finish() == 5000)
            #expect(try file.url.bytes == bytes)
        }
    }

    @Test("any chunks, short writes and interruptions give the same bytes")
    func random() async throws {
        for seed in 0..<30 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var fileSystem = FileSystem.linux
            let limit = Int.random(in: 1...2000, using: &generator)
            fileSystem = fileSystem.writingAtMost(limit)
            let interrupted = Int.random(in: 1...9, using: &generator)
            fileSystem = fileSystem.failing(.write, FileFault(EINTR, at: interrupted...50))
            let file = try await TestedFile.make(in: directory.url, fileSystem: fileSystem)
            var expected: [UInt8] = []
            for step in 0..<20 {
                let pieces = (0..<Int.random(in: 0...5, using: &generator)).map { piece in
                    let count = Int.random(in: 0...900, using: &generator)
                    return sampleBytes(count, seed: seed * 1000 + UInt64(step * 10 + piece))
                }
                expected += pieces.joined()
                file.send(pieces.map { Exchange.Chunk(Data($0)) })
            }
            let destination = directory.file("\(seed)")
            try await file.move(to: destination)
            #expect(try destination.bytes == expected)
        }
    }

    @Test("opening does not block the caller, and reports where it failed")
    func asynchronousOpening() async throws {
        let gate = DispatchSemaphore(value: 0)
        var slow = FileSystem.linux
        slow.open = { (path, flags) throws(SystemError) in
            gate.wait()
            return try FileSystem.linux.open(path, flags)
        }
        let events = Recorder<FileEvent>()
        let place = Download.Place(url: directory.file("x"), options: [])
        let file = DownloadFile(at: place, on: slow, for: SessionWork(.system)) { events.add($0) }
        // The first disk hangs, and the second is not affected.
        let failed = await failure { () throws(FileFailure) in
            _ = try await TestedFile.make(in: directory.file("none"))
        }
        #expect(failed?.systemErrorNumber == ENOENT)
        #expect(failed?.path == directory.file("none").appendingPathComponent("place").path)
        gate.signal()
        let complete = Recorder<Bool>()
        file.complete { result in complete.add((try? result.get().length) == 0) }
        #expect(await complete.wait(for: 1) == [true])
        #expect(events.count == 0)
    }

    @Test("a disk that hangs delays only its own download")
    func slowDisk() async throws {
        let gate = DispatchSemaphore(value: 0)
        var slow = FileSystem.linux
        slow.write = { (file, pieces, offset) throws(SystemError) in
            gate.wait()
            return try FileSystem.linux.write(file, pieces, offset)
        }
        var slowFiles: [TestedFile] = []
        for _ in 0..<20 {
            slowFiles.append(try await TestedFile.make(in: directory.url, fileSystem: slow))
        }
        let done = Recorder<Int>()
        for file in slowFiles { file.send([Exchange.Chunk(Data([1]))]) { done.add($0) } }
        let quick = try await TestedFile.make(in: directory.url)
        #expect(await quick.write([[1, 2, 3]]) == 3)
        #expect(done.count == 0)
        for _ in slowFiles { gate.signal() }
        await done.wait(for: 20)
    }

    @Test("a missing directory is created on request, also by several threads at once")
    func intermediateDirectories() async throws {
        let deep = directory.file("a").appendingPathComponent("b/c")
        let missing = await failure { () throws(FileFailure) in
            _ = try await TestedFile.make(in: deep)
        }
        #expect(missing?.systemErrorNumber == ENOENT)
        #expect(missing?.operation == .create)
        #expect(missing?.description.contains("createIntermediateDirectories") == true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    _ = try await TestedFile.make(
                        in: deep, options: .createIntermediateDirectories)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a path that is not a writable directory fails at once")
    func badDirectory() async throws {
        let plain = try directory.write([1], to: "plain")
        for options in [[], DownloadOptions.createIntermediateDirectories] {
            for url in [plain, plain.appendingPathComponent("below")] {
                let failure = await failure { () throws(FileFailure) in
                    _ = try await TestedFile.make(in: url, options: options)
                }
                #expect(failure?.systemErrorNumber == ENOTDIR)
            }
        }
        let remote = await failure { () throws(FileFailure) in
            _ = try await TestedFile.make(in: URL(string: "https://example.com/a")!)
        }
        #expect(remote?.message.contains("not a file URL") == true)
        let cut = await failure { () throws(FileFailure) in
            _ = try await TestedFile.make(in: URL(string: "file:///tmp/a%00b")!)
        }
        #expect(cut?.systemErrorNumber == nil)
        let denied = await failure { () throws(FileFailure) in
            _ = try await TestedFile.make(in: directory.url, fileSystem: .failing(.open, EACCES))
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
            _ = try await TestedFile.make(in: directory.url)
        }
        #expect(denied?.systemErrorNumber == EACCES)
    }

    @Test("a name that is in use is not reused")
    func takenName() async throws {
        let taken = FileFault(EEXIST, at: 1...3)
        let file = try await TestedFile.make(
            in: directory.url, fileSystem: .linux.failing(.open, taken)
        )
        #expect(taken.calls == 4)
        _ = await file.write([[1]])
        let always = await failure { () throws(FileFailure) in
            _ = try await TestedFile.make(in: directory.url, fileSystem: .failing(.open, EEXIST))
        }
        #expect(always?.systemErrorNumber == EEXIST)
    }
}
