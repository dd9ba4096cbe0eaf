import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("A download's file on a failing disk", .timeLimit(.minutes(5)))
struct DownloadFileFaultTests {
    let directory: TemporaryDirectory
    let failures = Recorder<FileFailure>()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func make(_ fileSystem: FileSystem) async throws -> TestedFile {
        try await TestedFile.make(
            in: directory.url, fileSystem: fileSystem,
            failureHandler: { [failures] in failures.add($0) }
        )
    }

    @Test(
        "a failed write is reported once, and what follows is dropped and consumed (fault 81)",
        arguments: [ENOSPC, EIO, EDQUOT, EFBIG]
    )
    func write(number: Int32) async throws {
        let fault = FileFault(number, at: 2...2)
        let file = try await make(.linux.failing(.write, fault))
        #expect(await file.write([[1]]) == 1)
        #expect(await file.write([[2, 2]]) == 2)
        #expect(await file.write([[3, 3, 3]]) == 3)
        let atEnd = await failure { () throws(FileFailure) in _ = try await file.finish() }
        let atMove = await failure { () throws(FileFailure) in
            try await file.move(to: directory.file("x"))
        }
        #expect(failures.all.count == 1)
        #expect(failures.all.first?.systemErrorNumber == number)
        #expect(failures.all.first?.operation == .write)
        #expect(failures.all.first == atEnd)
        #expect(failures.all.first == atMove)
        #expect(fault.calls == 2)
        #expect(try file.url.bytes == [1])
        #expect(directory.file("x").fileStatus == nil)
    }

    @Test("a disk that fills up within a chunk keeps the part that fit (fault 81)")
    func partialWrite() async throws {
        let file = try await make(
            .linux.failing(.write, FileFault(ENOSPC, at: 3...9)).writingAtMost(4))
        await file.write([sampleBytes(20)])
        let partial = try await file.keep()
        #expect(partial.length == 8)
        #expect(try partial.path.url.bytes == Array(sampleBytes(20)[..<8]))
        let resumed = try await TestedFile.reopen(partial)
        await resumed.write([Array(sampleBytes(20)[8...])])
        try await resumed.move(to: directory.file("whole"))
        #expect(try directory.file("whole").bytes == sampleBytes(20))
    }

    @Test("writing to a full device fails")
    func fullDevice() async throws {
        let device = Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(device) }
        var full = FileSystem.linux
        full.write = { (_, pieces, offset) throws(SystemError) in
            try FileSystem.linux.write(device, pieces, offset)
        }
        let file = try await make(full)
        await file.write([[1]])
        #expect(failures.all.map(\.systemErrorNumber) == [ENOSPC])
        #expect(failures.all[0].description.contains("free some space"))
    }

    @Test(
        "writing to a file system that fills up fails",
        .enabled(if: SmallFileSystem.isAllowed, "needs the right to mount a file system")
    )
    func fullFileSystem() async throws {
        let small = try SmallFileSystem(size: 64 * 1024)
        let file = try await TestedFile.make(
            in: small.url, failureHandler: { [failures] in failures.add($0) }
        )
        for _ in 0..<8 { await file.write([sampleBytes(16 * 1024)]) }
        #expect(failures.all.map(\.systemErrorNumber) == [ENOSPC])
        let partial = try await file.keep()
        #expect(partial.length == 64 * 1024)

        // Beside that file, not even the start of a second one fits.
        let early = try await TestedFile.make(
            in: small.url, failureHandler: { [failures] in failures.add($0) }
        )
        await early.write([[1]])
        #expect(failures.all.map(\.systemErrorNumber) == [ENOSPC, ENOSPC])
        await file.remove()

        // A copy that does not fit is removed.
        let large = try await make(.linux)
        await large.write([sampleBytes(100 * 1024)])
        let failed = await failure { () throws(FileFailure) in
            try await large.move(to: small.url.appendingPathComponent("x"))
        }
        #expect(failed?.systemErrorNumber == ENOSPC)
        await early.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: small.url.path) == [])
    }

    @Test("a write that writes nothing fails")
    func noProgress() async throws {
        var stuck = FileSystem.linux
        stuck.write = { (_, _, _) throws(SystemError) in 0 }
        let file = try await make(stuck)
        #expect(await file.write([[1]]) == 1)
        #expect(failures.all.map(\.systemErrorNumber) == [EIO])
    }

    @Test("a file that cannot be locked or inspected is removed")
    func opening() async throws {
        await #expect(throws: FileFailure.self) { try await make(.failing(.status, EIO)) }
        await #expect(throws: FileFailure.self) { try await make(.failing(.lock, EWOULDBLOCK)) }
        #expect(try directory.names == [])
        let file = try await make(.failing(.lock, ENOLCK))
        #expect(try await file.finish() == 0)
    }

    @Test("every call that a signal interrupts is repeated", arguments: FileFault.Call.allCases)
    func interrupted(call: FileFault.Call) async throws {
        let fault = FileFault(EINTR, at: 1...2)
        let file = try await TestedFile.make(
            in: directory.file("new"), options: .createIntermediateDirectories,
            fileSystem: .linux.failing(call, fault)
        )
        await file.write([[1, 2, 3]])
        let partial = try await file.keep()
        let again = try await TestedFile.reopen(partial, fileSystem: .linux.failing(call, fault))
        let all: DownloadOptions = [.createIntermediateDirectories, .synchronizes]
        let destination = directory.file("deep").appendingPathComponent("x")
        try await again.move(to: destination, all)
        #expect(try destination.bytes == [1, 2, 3])
        #expect(try directory.names.contains("deep"))
    }
}

/// A file system of a few kilobytes, if this process can mount one.
final class SmallFileSystem: Sendable {
    static let isAllowed = (try? SmallFileSystem(size: 4096)) != nil

    private let directory: TemporaryDirectory
    var url: URL { directory.url }

    init(size: Int) throws {
        directory = try TemporaryDirectory()
        guard mount("tmpfs", directory.url.path, "tmpfs", 0, "size=\(size)") == 0 else {
            throw SystemError(errno)
        }
    }

    deinit {
        umount2(directory.url.path, Int32(MNT_DETACH))
    }
}
