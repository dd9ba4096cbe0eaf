import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Files as bodies")
struct UploadFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func readAll(
        _ file: UploadFile,
        from offset: Int = 0,
        by count: Int
    ) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try file.read(at: Int64(offset + bytes.count), upTo: count)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    @Test("a file is read whole in any pieces, twice", arguments: [1, 7, 999, 1000, 1001, Int.max])
    func whole(count: Int) throws {
        let file = try UploadFile(directory.write(sampleBytes(1000), to: "x"))
        #expect(file.length == 1000)
        #expect(try readAll(file, by: count) == sampleBytes(1000))
        #expect(try file.read(at: 1000, upTo: count).isEmpty)
        #expect(try readAll(file, by: count) == sampleBytes(1000))
    }

    @Test("a file can be larger than 4 GiB (fault 80)")
    func huge() throws {
        let url = try directory.write([1], to: "x")
        #expect(truncate(url.path, (5 << 30) + 1) == 0)
        let handle = try FileHandle(forWritingTo: url)
        try handle.seek(toOffset: 5 << 30)
        try handle.write(contentsOf: Data([7]))
        let file = try UploadFile(url)
        #expect(file.length == (5 << 30) + 1)
        #expect(try file.read(at: 4 << 30, upTo: 2) == Data([0, 0]))
        #expect(try file.read(at: 5 << 30, upTo: 10) == Data([7]))
    }

    @Test("a file can be empty, or reached through a link")
    func emptyAndLinked() throws {
        let empty = try UploadFile(directory.write([], to: "empty"))
        #expect(empty.length == 0)
        #expect(try empty.read(at: 0, upTo: 10).isEmpty)
        symlink(try directory.write([1, 2], to: "x").path, directory.file("link").path)
        #expect(try readAll(UploadFile(directory.file("link")), by: 10) == [1, 2])
    }

    @Test("short and interrupted reads are continued")
    func shortReads() throws {
        var short = FileSystem.linux
        short.read = { (file, buffer, offset) throws(SystemError) in
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(3))
            return try FileSystem.linux.read(file, part, offset)
        }
        short = short.failing(.read, FileFault(EINTR, at: 2...5))
        let url = try directory.write(sampleBytes(100), to: "x")
        #expect(try readAll(UploadFile(url, fileSystem: short), by: 40) == sampleBytes(100))
    }

    @Test(
        "other kinds of files are refused by kind, without waiting", .timeLimit(.minutes(5)))
    func kinds() throws {
        mkfifo(directory.file("pipe").path, 0o600)
        mknod(directory.file("socket").path, S_IFSOCK | 0o600, 0)
        let kinds = [
            (directory.url, "a directory"), (directory.file("pipe"), "a named pipe"),
            (directory.file("socket"), "a socket"),
            (URL(fileURLWithPath: "/dev/null"), "a device"),
            (directory.file("none"), "No such file"),
        ]
        for (url, words) in kinds {
            let failure = #expect(throws: FileFailure.self) { _ = try UploadFile(url) }
            #expect(failure?.operation == .open)
            #expect(failure?.message.contains(words) == true)
        }
        #expect(throws: FileFailure.self) { try UploadFile(URL(string: "https://a/b")!) }
    }

    @Test("a file without read permission is refused")
    func denied() throws {
        let url = try directory.write([1], to: "x")
        let failure = #expect(throws: FileFailure.self) {
            _ = try UploadFile(url, fileSystem: .failing(.open, EACCES))
        }
        #expect(failure?.systemErrorNumber == EACCES)
        if geteuid() != 0 {
            chmod(url.path, 0)
            #expect(throws: FileFailure.self) { _ = try UploadFile(url) }
        }
    }

    /// Changes of the file during the upload.
    enum Change: CaseIterable {
        case grows, shrinks, isEmptied, isRewritten, isReplaced, isRemoved

        func happen(to url: URL) throws {
            switch self {
            case .grows:
                let handle = try FileHandle(forWritingTo: url)
                try handle.seekToEnd()
                try handle.write(contentsOf: Data([1]))
            case .shrinks: truncate(url.path, 999)
            case .isEmptied: truncate(url.path, 0)
            case .isRewritten:
                let handle = try FileHandle(forWritingTo: url)
                try handle.write(contentsOf: Data([1]))
                // As if more than one tick of the clock had passed.
                var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 5)]
                utimensat(AT_FDCWD, url.path, &times, 0)
            case .isReplaced: try Data(sampleBytes(1000)).write(to: url, options: .atomic)
            case .isRemoved: try FileManager.default.removeItem(at: url)
            }
        }
    }

    @Test(
        "a change during the upload fails it before the last piece (fault 80)",
        arguments: Change.allCases, [0, 500, 900]
    )
    func change(change: Change, after count: Int) throws {
        let url = try directory.write(sampleBytes(1000), to: "x")
        let file = try UploadFile(url)
        var sent: [UInt8] = []
        if count > 0 { sent += try file.read(at: 0, upTo: count) }
        try change.happen(to: url)
        let failure = #expect(throws: FileFailure.self) {
            sent += try readAll(file, from: count, by: 100)
        }
        #expect(failure?.operation == .read)
        #expect(failure?.path == url.path)
        #expect(failure?.message.contains("during the upload") == true)
        #expect(sent.count < 1000)
        // A second read fails as well.
        #expect(throws: FileFailure.self) { try readAll(file, by: 100) }
    }

    @Test("a file with more bytes than its size, as in /proc, is refused with advice (fault 80)")
    func largerThanItsSize() throws {
        let file = try UploadFile(URL(fileURLWithPath: "/proc/self/status"))
        #expect(file.length == 0)
        let failure = #expect(throws: FileFailure.self) { try file.read(at: 0, upTo: 10_000) }
        #expect(
            failure?.description == """
                could not read "/proc/self/status": its reported size is 0 bytes, but it contains \
                more; read it into Data, and upload that
                """)
    }

    @Test("a file with fewer bytes than its size, as in /sys, is refused with advice (fault 80)")
    func smallerThanItsSize() throws {
        var system = FileSystem.linux
        system.status = { descriptor throws(SystemError) in
            var status = try FileSystem.linux.status(descriptor)
            status.size = 4096
            return status
        }
        let file = try UploadFile(directory.write([1, 2, 3], to: "x"), fileSystem: system)
        let failure = #expect(throws: FileFailure.self) { try file.read(at: 0, upTo: 10_000) }
        #expect(
            failure?.message == """
                its reported size is 4096 bytes, but it contains only 3; read it into Data, and \
                upload that
                """)
    }

    @Test("an empty file that grows before it is read is refused (fault 80)")
    func emptyThatGrows() throws {
        let url = try directory.write([], to: "x")
        let file = try UploadFile(url)
        try Change.grows.happen(to: url)
        let failure = #expect(throws: FileFailure.self) { try file.read(at: 0, upTo: 10) }
        #expect(failure?.message.contains("during the upload") == true)
    }

    @Test("a disk error fails the read", arguments: [.read, .status] as [FileFault.Call])
    func disk(call: FileFault.Call) throws {
        let url = try directory.write(sampleBytes(10), to: "x")
        let fault = FileFault(EIO, at: 2...9)
        let file = try UploadFile(url, fileSystem: .linux.failing(call, fault))
        let failure = #expect(throws: FileFailure.self) { _ = try readAll(file, by: 5) }
        #expect(failure?.systemErrorNumber == EIO)
    }
}
