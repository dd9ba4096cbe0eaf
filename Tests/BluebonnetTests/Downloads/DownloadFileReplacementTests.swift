import BluebonnetTransport
import Foundation
import Testing

import Bluebonnet

@Suite("Replacing a file with a download", .timeLimit(.minutes(5)))
struct DownloadFileReplacementTests {
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

    @Test(
        "a symbolic link counts as an existing file, and its target is replaced",
        arguments: DownloadFileMoveTests.Means.allCases)
    func link(means: DownloadFileMoveTests.Means) async throws {
        let other = try TemporaryDirectory()
        let target = try other.write([9], to: "target")
        chmod(target.path, 0o604)
        symlink(target.path, directory.file("first").path)
        let link = directory.file("link")
        symlink("first", link.path)
        let file = try await written([1, 2, 3], means.fileSystem)
        let refused = await failure { () throws(FileFailure) in try await file.move(to: link) }
        #expect(refused?.systemErrorNumber == EEXIST)
        #expect(try target.bytes == [9])
        try await file.move(to: link, .removePreviousFile)
        #expect(try target.bytes == [1, 2, 3])
        #expect(target.fileStatus.map { $0.st_mode & 0o7777 } == 0o604)
        #expect(try other.names == ["target"])
        #expect(try directory.names == ["first", "link"])
        #expect(link.fileStatus.map { $0.st_mode & S_IFMT } == S_IFLNK)
    }

    @Test(
        "what is not a regular file is left as it is, and named in the error",
        arguments: Special.allCases, [false, true])
    func special(special: Special, isLinked: Bool) async throws {
        let place = directory.file("x")
        let name = isLinked ? directory.file("named") : place
        try special.make(at: name.path)
        if isLinked { symlink("named", place.path) }
        let before = name.fileStatus
        let file = try await written()
        let failed = await failure { () throws(FileFailure) in
            try await file.move(to: place, .removePreviousFile)
        }
        #expect(failed?.systemErrorNumber == special.errorNumber, "\(failed as Any)")
        #expect(failed?.path == place.path)
        #expect(failed?.message.contains(special.words) == true, "\(failed as Any)")
        #expect(name.fileStatus?.st_ino == before?.st_ino)
        #expect(name.fileStatus?.st_mode == before?.st_mode)
        // The file can still be moved elsewhere.
        try await file.move(to: directory.file("y"), .removePreviousFile)
        #expect(try directory.file("y").bytes == [1, 2, 3])
    }

    @Test(
        "a replaced file passes on its permissions, except those to run as another user",
        arguments: DownloadFileMoveTests.Means.allCases,
        [0o600, 0o640, 0o444, 0o755, 0o4755, 0o2770] as [mode_t])
    func permissions(means: DownloadFileMoveTests.Means, mode: mode_t) async throws {
        let destination = try directory.write([9], to: "x")
        chmod(destination.path, mode)
        var fileSystem = means.fileSystem
        fileSystem.creationMask = { 0o077 }
        let file = try await written([1], fileSystem)
        try await file.move(to: destination, .removePreviousFile)
        #expect(try destination.bytes == [1])
        #expect(destination.fileStatus.map { $0.st_mode & 0o7777 } == mode & 0o777)
    }

    @Test("permissions of a group that the new file cannot have are not passed on")
    func foreignGroup() async throws {
        var fileSystem = FileSystem.linux
        fileSystem.statusOfPath = { path, follows throws(SystemError) in
            var status = try FileSystem.linux.statusOfPath(path, follows)
            if path.hasSuffix("/x") { status.group = 4002 }
            return status
        }
        fileSystem.changeOwner = { _, _, _ throws(SystemError) in throw SystemError(EPERM) }
        let destination = try directory.write([9], to: "x")
        chmod(destination.path, 0o664)
        let file = try await written([1], fileSystem)
        try await file.move(to: destination, .removePreviousFile)
        #expect(destination.fileStatus.map { $0.st_mode & 0o7777 } == 0o604)
    }

    @Test(
        "where everyone can create files, only one of the own user passes on its permissions",
        arguments: [true, false])
    func sharedDirectory(isOwn: Bool) async throws {
        chmod(directory.url.path, 0o1777)
        var fileSystem = FileSystem.linux
        fileSystem.creationMask = { 0o077 }
        let owners = Recorder<UInt32>()
        fileSystem.statusOfPath = { path, follows throws(SystemError) in
            var status = try FileSystem.linux.statusOfPath(path, follows)
            if path.hasSuffix("/x"), !isOwn { status.owner = 4001 }
            return status
        }
        fileSystem.changeOwner = { _, owner, _ throws(SystemError) in owners.add(owner) }
        let destination = try directory.write([9], to: "x")
        chmod(destination.path, 0o666)
        let file = try await written([1], fileSystem)
        try await file.move(to: destination, .removePreviousFile)
        #expect(destination.fileStatus.map { $0.st_mode & 0o7777 } == (isOwn ? 0o666 : 0o600))
        #expect(owners.all.isEmpty)
    }

    @Test("a replaced file passes on its owner and group as far as the process can set them")
    func owner() async throws {
        let calls = Recorder<[UInt32]>()
        var fileSystem = FileSystem.linux
        fileSystem.statusOfPath = { path, follows throws(SystemError) in
            var status = try FileSystem.linux.statusOfPath(path, follows)
            if path.hasSuffix("/x") { (status.owner, status.group) = (4001, 4002) }
            return status
        }
        fileSystem.changeOwner = { _, owner, group throws(SystemError) in
            calls.add([owner, group])
            throw SystemError(EPERM)
        }
        let destination = try directory.write([9], to: "x")
        let file = try await written([1], fileSystem)
        try await file.move(to: destination, .removePreviousFile)
        #expect(calls.all == [[4001, 4002], [geteuid(), 4002]])
        #expect(try destination.bytes == [1])
        // A file that the process owns needs no change.
        let second = try await written([2], fileSystem)
        try await second.move(to: try directory.write([9], to: "y"), .removePreviousFile)
        #expect(calls.count == 2)
    }
}

/// What a path can name besides a regular file.
enum Special: CaseIterable {
    case directory, pipe, socket, device, missing, loop

    func make(at path: String) throws {
        switch self {
        case .directory: mkdir(path, 0o755)
        case .pipe: mkfifo(path, 0o600)
        case .socket:
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { bytes in
                // The last byte stays 0.
                bytes.dropLast().copyBytes(from: path.utf8.prefix(bytes.count - 1))
            }
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard result == 0 else { throw SystemError(errno) }
        case .device: symlink("/dev/null", path)
        case .missing: symlink("none", path)
        case .loop: symlink(path, path)
        }
    }

    var errorNumber: Int32 {
        switch self {
        case .directory: EISDIR
        case .pipe, .socket, .device: EEXIST
        case .missing: ENOENT
        case .loop: ELOOP
        }
    }

    var words: String {
        switch self {
        case .directory: "choose the path of a file"
        case .pipe: "a named pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .missing: "a symbolic link to a missing file"
        case .loop: "form a loop"
        }
    }
}
