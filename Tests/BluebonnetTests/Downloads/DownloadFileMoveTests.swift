import BluebonnetTransport
import Foundation
import Testing

import Bluebonnet

@Suite("Moving a download to its destination", .timeLimit(.minutes(5)))
struct DownloadFileMoveTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func written(
        _ bytes: [UInt8] = [1, 2, 3], _ fileSystem: FileSystem = .linux
    ) async throws -> TestedFile {
        let file = try await TestedFile.make(in: directory.url, fileSystem: fileSystem)
        await file.write([bytes])
        return file
    }

    @Test("the file gets its name and the permissions of a new file")
    func move() async throws {
        let file = try await written()
        let destination = directory.file("x")
        #expect(try await file.move(to: destination) == destination)
        #expect(try destination.bytes == [1, 2, 3])
        #expect(try directory.names == ["x"])
        let other = directory.file("other")
        close(Glibc.open(other.path, O_CREAT | O_WRONLY, 0o666))
        #expect(destination.fileStatus?.st_mode == other.fileStatus?.st_mode)
    }

    @Test(
        "the permissions follow the process's umask", arguments: [0o022, 0o077, 0o002] as [UInt32])
    func mask(mask: UInt32) async throws {
        var masked = FileSystem.linux
        masked.creationMask = { mask }
        let file = try await written([1], masked)
        try await file.move(to: directory.file("x"))
        #expect(directory.file("x").fileStatus.map { $0.st_mode & 0o777 } == 0o666 & ~mask)
    }

    /// The ways to give a file its name.
    enum Means: CaseIterable {
        case rename, link, copy, copyAndLink

        var fileSystem: FileSystem {
            let across = FileFault(EXDEV, at: 1...1)
            return switch self {
            case .rename: .linux
            case .link: .failing(.renameExclusively, EINVAL)
            case .copy:
                .linux.failing(.rename, across).failing(.renameExclusively, across)
            case .copyAndLink:
                .linux.failing(.rename, across).failing(.renameExclusively, FileFault(ENOSYS))
                    .failing(.link, across)
            }
        }
    }

    @Test("nothing is replaced without the option (fault 81)", arguments: Means.allCases)
    func existing(means: Means) async throws {
        let destination = try directory.write([9], to: "x")
        let file = try await written([1, 2, 3], means.fileSystem)
        let failed = await failure { () throws(FileFailure) in
            try await file.move(to: destination)
        }
        #expect(failed?.systemErrorNumber == EEXIST)
        #expect(failed?.operation == .move)
        #expect(failed?.path == destination.path)
        #expect(try destination.bytes == [9])
        // The file can still be moved elsewhere.
        try await file.move(to: directory.file("y"))
        #expect(try directory.file("y").bytes == [1, 2, 3])
        #expect(try directory.names == ["x", "y"])
    }

    @Test("a file is replaced with the option", arguments: Means.allCases)
    func replacing(means: Means) async throws {
        let destination = try directory.write([9], to: "x")
        let file = try await written(sampleBytes(700_000), means.fileSystem)
        try await file.move(to: destination, .removePreviousFile)
        #expect(try destination.bytes == sampleBytes(700_000))
        #expect(try directory.names == ["x"])
    }

    @Test("the file is moved to a new name", arguments: Means.allCases)
    func newName(means: Means) async throws {
        let file = try await written(sampleBytes(700_000), means.fileSystem)
        try await file.move(to: directory.file("x"), .synchronizes)
        #expect(try directory.file("x").bytes == sampleBytes(700_000))
        #expect(directory.file("x").fileStatus.map { $0.st_mode & 0o777 } != 0o600)
        #expect(try directory.names == ["x"])
    }

    @Test(
        "the file is moved to another file system",
        .enabled(
            if: Set(["/dev/shm", NSTemporaryDirectory()].compactMap(device)).count == 2,
            "needs /dev/shm to be another file system than that of temporary files"
        )
    )
    func acrossFileSystems() async throws {
        let elsewhere = try TemporaryDirectory(in: URL(fileURLWithPath: "/dev/shm"))
        let file = try await written(sampleBytes(1_000_000))
        let destination = elsewhere.url.appendingPathComponent("new/x")
        try await file.move(to: destination, [.createIntermediateDirectories, .synchronizes])
        #expect(try destination.bytes == sampleBytes(1_000_000))
        #expect(try directory.names == [])
        let second = try await written()
        let failed = await failure { () throws(FileFailure) in
            try await second.move(to: destination)
        }
        #expect(failed?.systemErrorNumber == EEXIST)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.url.path) == ["new"])
    }

    @Test("a directory is never replaced", arguments: Means.allCases)
    func directories(means: Means) async throws {
        let taken = directory.file("taken")
        try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: false)
        for options in [[], DownloadOptions.removePreviousFile] {
            let file = try await written([1], means.fileSystem)
            let failed = await failure { () throws(FileFailure) in
                try await file.move(to: taken, options)
            }
            #expect(failed?.systemErrorNumber == EISDIR)
        }
        let file = try await written()
        let slash = await failure { () throws(FileFailure) in
            try await file.move(to: directory.url.appendingPathComponent("new", isDirectory: true))
        }
        #expect(slash?.systemErrorNumber == EISDIR)
    }

    @Test("a missing directory is an error, or is created with the option")
    func missingDirectory() async throws {
        let file = try await written()
        let deep = directory.url.appendingPathComponent("a/b/x")
        let missing = await failure { () throws(FileFailure) in try await file.move(to: deep) }
        #expect(missing?.systemErrorNumber == ENOENT)
        try await file.move(to: deep, .createIntermediateDirectories)
        #expect(try deep.bytes == [1, 2, 3])
    }

    @Test("a directory removed during the transfer is an error (fault 81)")
    func removedDirectory() async throws {
        let file = try await written()
        try FileManager.default.removeItem(at: directory.url)
        await file.write([[4]])
        let gone = await failure { () throws(FileFailure) in
            try await file.move(to: directory.file("x"))
        }
        #expect(gone?.message.contains("removed or replaced") == true)
    }

    @Test("another file in the temporary file's place is neither moved nor removed")
    func foreignFile() async throws {
        let file = try await written()
        let url = file.url
        try FileManager.default.removeItem(at: url)
        try Data([7]).write(to: url)
        let failed = await failure { () throws(FileFailure) in
            try await file.move(to: directory.file("x"))
        }
        #expect(failed?.message.contains("removed or replaced") == true)
        await file.remove()
        #expect(try url.bytes == [7])
    }

    @Test(
        "a failed move changes nothing at the destination (fault 81)",
        arguments: [
            (.synchronize, EIO), (.changeMode, EPERM), (.truncate, EIO), (.rename, EACCES),
            (.rename, EIO), (.rename, EROFS),
        ] as [(FileFault.Call, Int32)]
    )
    func failing(call: FileFault.Call, number: Int32) async throws {
        let destination = try directory.write([9], to: "x")
        let file = try await written([1], .failing(call, number))
        let failed = await failure { () throws(FileFailure) in
            try await file.move(to: destination, [.removePreviousFile, .synchronizes])
        }
        #expect(failed?.systemErrorNumber == number)
        #expect(try destination.bytes == [9])
        #expect(try directory.names.count == 2)
    }

    @Test(
        "a failed copy leaves no file",
        arguments: [
            (.write, 2, ENOSPC), (.read, 2, EIO), (.open, 2, EACCES), (.synchronize, 2, EIO),
            (.rename, 2, EACCES), (.changeMode, 2, EPERM), (.rename, 2, EXDEV),
        ] as [(FileFault.Call, Int, Int32)]
    )
    func failingCopy(call: FileFault.Call, at place: Int, number: Int32) async throws {
        let destination = try directory.write([9], to: "x")
        let across = FileFault(EXDEV, at: 1...1)
        let fault = FileFault(number, at: place...place)
        // The outer fault counts every call. The inner one makes the first rename cross file
        // systems.
        let fileSystem = FileSystem.linux.failing(.rename, across).failing(call, fault)
        let file = try await written(sampleBytes(300_000), fileSystem)
        let failed = await failure { () throws(FileFailure) in
            try await file.move(to: destination, [.removePreviousFile, .synchronizes])
        }
        #expect(failed?.systemErrorNumber == number)
        #expect(try destination.bytes == [9])
        #expect(try directory.names == [file.url.lastPathComponent, "x"].sorted())
    }

    @Test("file and directory are synchronized only with the option")
    func synchronizes() async throws {
        for (options, calls) in [([], 0), ([.synchronizes], 2)] as [(DownloadOptions, Int)] {
            let fault = FileFault(EIO, at: 99...99)
            let file = try await written([1], .linux.failing(.synchronize, fault))
            try await file.move(to: directory.file("\(calls)"), options)
            #expect(fault.calls == calls)
        }
    }

    @Test("a directory that fails to synchronize is an error, unless its file system cannot")
    func directorySynchronization() async throws {
        let unable = FileFault(EINVAL, at: 2...2)
        let first = try await written([1], .linux.failing(.synchronize, unable))
        try await first.move(to: directory.file("a"), .synchronizes)
        let broken = FileFault(EIO, at: 2...2)
        let second = try await written([1], .linux.failing(.synchronize, broken))
        let failed = await failure { () throws(FileFailure) in
            try await second.move(to: directory.file("b"), .synchronizes)
        }
        #expect(failed?.operation == .synchronize)
        #expect(failed?.message.contains("at its destination") == true)
        #expect(try directory.names == ["a", "b"])
    }

    @Test("a file can be moved once")
    func twice() async throws {
        let file = try await written()
        try await file.move(to: directory.file("x"))
        let again = await failure { () throws(FileFailure) in
            try await file.move(to: directory.file("y"))
        }
        #expect(again?.message.contains("already moved") == true)
        await file.remove()
        #expect(try directory.names == ["x"])
    }
}

private func device(_ path: String) -> UInt? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_dev : nil
}
