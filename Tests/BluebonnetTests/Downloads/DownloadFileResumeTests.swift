import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Keeping and resuming a partial file", .timeLimit(.minutes(5)))
struct DownloadFileResumeTests {
    let directory: TemporaryDirectory
    let bytes = sampleBytes(10_000)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func kept(_ count: Int) async throws -> PartialFile {
        let file = try await TestedFile.make(in: directory.url)
        await file.write([Array(bytes[..<count])])
        return try await file.keep()
    }

    private func refusal(_ partial: PartialFile) async -> String? {
        await failure { () throws(FileFailure) in _ = try await TestedFile.reopen(partial) }?
            .message
    }

    @Test("a file cut anywhere is completed", arguments: [1, 4095, 4096, 4097, 9999, 10_000])
    func resume(cut: Int) async throws {
        let partial = try await kept(cut)
        #expect(partial.length == Int64(cut))
        let file = try await TestedFile.reopen(partial)
        await file.write([Array(bytes[cut...])])
        #expect(try await file.finish() == 10_000)
        try await file.move(to: directory.file("x"))
        #expect(try directory.file("x").bytes == bytes)
        #expect(try directory.names == ["x"])
    }

    @Test("a child process started meanwhile does not keep the file locked")
    func inheritedDescriptor() async throws {
        let file = try await TestedFile.make(in: directory.url)
        await file.write([Array(bytes[..<5000])])
        let name = try #require(try directory.names.first)
        // Until it executes another program, the child has all descriptors, like this process.
        let own = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                .hasSuffix(name) == true
        }
        let inherited = dup(try #require(own.flatMap { Int32($0) }))
        defer { close(inherited) }
        let again = try await TestedFile.reopen(try await file.keep())
        await again.write([Array(bytes[5000...])])
        #expect(try await again.finish() == 10_000)
    }

    @Test("bytes after the recorded offset are cut off")
    func longer() async throws {
        let partial = try await kept(5000)
        let handle = try FileHandle(forWritingTo: partial.path.url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1, 2, 3]))
        let file = try await TestedFile.reopen(partial)
        await file.write([Array(bytes[5000...])])
        try await file.move(to: directory.file("x"))
        #expect(try directory.file("x").bytes == bytes)
    }

    @Test("a file that is shorter, changed, missing or another kind is refused and left (fault 82)")
    func refused() async throws {
        let shorter = try await kept(5000)
        truncate(shorter.path.string, 4999)
        #expect(await refusal(shorter)?.contains("4999 bytes instead of 5000") == true)
        #expect(shorter.path.url.fileStatus?.st_size == 4999)

        let changed = try await kept(5000)
        var other = Array(bytes[..<6000])
        other[4999] ^= 1
        try Data(other).write(to: changed.path.url)
        #expect(await refusal(changed)?.contains("have changed") == true)
        #expect(try changed.path.url.bytes == other)

        let missing = try await kept(5000)
        try FileManager.default.removeItem(at: missing.path.url)
        #expect(await refusal(missing)?.contains("from the beginning") == true)

        mkfifo(missing.path.string, 0o600)
        #expect(await refusal(missing)?.contains("a named pipe") == true)
        unlink(missing.path.string)

        mkdir(missing.path.string, 0o700)
        #expect(await refusal(missing) != nil)
        rmdir(missing.path.string)

        let target = try directory.write(Array(bytes[..<5000]), to: "target")
        symlink(target.path, missing.path.string)
        let link = await failure { () throws(FileFailure) in
            _ = try await TestedFile.reopen(missing)
        }
        #expect(link?.systemErrorNumber == ELOOP)
    }

    @Test("a file without a download's name is never written to")
    func foreignName() async throws {
        let partial = try await kept(5000)
        let url = try directory.write(Array(bytes[..<6000]), to: "mine.txt")
        let foreign = PartialFile(
            path: try FilePath(url, for: .open), length: 5000, checksum: partial.checksum
        )
        #expect(await refusal(foreign)?.contains("not a partial download of Bluebonnet") == true)
        #expect(try url.bytes.count == 6000)
    }

    @Test("two downloads never write to the same file")
    func locked() async throws {
        let partial = try await kept(5000)
        let first = try await TestedFile.reopen(partial)
        #expect(await refusal(partial)?.contains("another download") == true)
        await first.write([])
    }

    @Test("the file is removed with its object, unless it was kept, moved or has resume data")
    func lifetime() async throws {
        func use(_ body: (TestedFile) async throws -> Void) async throws {
            let file = try await TestedFile.make(in: directory.url)
            await file.write([[1]])
            try await body(file)
        }
        try await use { _ in }
        try await use { _ = try await $0.finish() }
        #expect(await until { (try? directory.names) == [] })

        try await use { _ = try await $0.keep() }
        let partial = try await kept(5000)
        var resumed: TestedFile? = try await TestedFile.reopen(partial)
        await resumed?.write([[1]])
        resumed = nil
        // The lock is released with the descriptor.
        #expect(await until { (try? TemporaryFile.reopen(partial, on: .linux)) != nil })
        #expect(try directory.names.count == 2)
    }

    @Test("a file can be removed even if it was kept, and later calls do nothing")
    func removal() async throws {
        let failures = Recorder<FileFailure>()
        let file = try await TestedFile.make(
            in: directory.url, failureHandler: { failures.add($0) })
        await file.write([[1]])
        _ = try await file.keep()
        #expect(await file.write([[1, 2]]) == 2)
        await file.remove()
        await file.remove()
        #expect(await file.write([[1, 2]]) == 2)
        #expect(try directory.names == [])
        let ended = await failure { () throws(FileFailure) in _ = try await file.finish() }
        #expect(ended?.message.contains("was removed") == true)
        #expect(failures.count == 0)
    }

    @Test("a file that cannot be synchronized is not kept for a resume")
    func unsynchronized() async throws {
        let file = try await TestedFile.make(
            in: directory.url, fileSystem: .failing(.synchronize, EIO)
        )
        await file.write([[1]])
        let failed = await failure { () throws(FileFailure) in
            _ = try await file.keep(.synchronizes)
        }
        #expect(failed?.operation == .synchronize)
    }
}
