import BluebonnetTransport
import Foundation

extension TemporaryFile {
    /// Sets the permissions of the complete file and moves it to its destination, atomically.
    ///
    /// A file that it replaces passes on its permissions. Of a symbolic link, the target is
    /// replaced. After a failure, the file still has its temporary name and the destination is
    /// unchanged. There is one exception: if the directory cannot be synchronized, the file is
    /// already moved.
    func move(to destination: FilePath, _ options: DownloadOptions) throws(FileFailure) {
        _ = try descriptor(for: .move)
        guard isInPlace else {
            throw FileFailure(
                .move, path: path.string,
                message: "the temporary file was removed or replaced; start a new download"
            )
        }
        if options.contains(.createIntermediateDirectories) {
            try destination.parent.createDirectory(on: fileSystem)
        }
        let replaces = options.contains(.removePreviousFile)
        let former = replaces ? try destination.replacedFile(on: fileSystem) : nil
        let destination = former.map { FilePath($0) } ?? destination
        let status = former.flatMap {
            passesOn($0.status, in: destination.parent) ? $0.status : nil
        }
        try complete(options, replacing: status)
        do {
            try rename(to: destination, replaces: replaces)
        } catch  where error.number == EXDEV {
            try moveAcross(to: destination, options, replacing: status)
        } catch {
            throw failure(error, destination)
        }
        close()
        if options.contains(.synchronizes) {
            try destination.parent.synchronizeDirectory(on: fileSystem)
        }
    }

    /// Releases unused reserved space, and sets the permissions of the former file or those that
    /// new files get.
    private func complete(
        _ options: DownloadOptions, replacing former: FileStatus?
    ) throws(FileFailure) {
        try truncate(to: length)
        let descriptor = try descriptor(for: .move)
        var mode = 0o666 & ~fileSystem.creationMask()
        if let former {
            // Without set-user-ID and set-group-ID, which a write to the former file would clear
            // too.
            mode = former.mode & 0o777
            // Nothing was granted to another group.
            if !keepOwner(of: former, descriptor) { mode &= ~0o070 }
        }
        try FileFailure.describing(.move, path.string) { () throws(SystemError) in
            try fileSystem.changeMode(descriptor, mode)
        }
        if options.contains(.synchronizes) { try synchronize() }
    }

    /// Whether a file in a directory passes on its owner and permissions.
    ///
    /// Where everyone can create files, another user could have created it to own the new one.
    private func passesOn(_ former: FileStatus, in directory: FilePath) -> Bool {
        guard let descriptor = try? descriptor(for: .move),
            let own = try? fileSystem.status(descriptor),
            let folder = try? fileSystem.statusOfPath(directory.string, true)
        else { return false }
        return folder.mode & 0o002 == 0 || [own.owner, folder.owner].contains(former.owner)
    }

    /// Sets the owner and the group of the former file, as far as the process is allowed to, and
    /// returns whether the group is the same.
    private func keepOwner(of former: FileStatus, _ descriptor: Int32) -> Bool {
        guard let own = try? fileSystem.status(descriptor) else { return false }
        if (own.owner, own.group) == (former.owner, former.group) { return true }
        for owner in [former.owner, own.owner] {
            do {
                try fileSystem.changeOwner(descriptor, owner, former.group)
                return true
            } catch {}
        }
        return own.group == former.group
    }

    private func rename(to destination: FilePath, replaces: Bool) throws(SystemError) {
        let (from, to) = (path.string, destination.string)
        try SystemError.retrying { () throws(SystemError) in
            if replaces { return try fileSystem.rename(from, to) }
            do throws(SystemError) {
                try fileSystem.renameExclusively(from, to)
            } catch  where [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) {
                // NFS, for example, does not support this. A hard link replaces nothing either.
                try fileSystem.link(from, to)
                // The file is in place, so a leftover temporary name is not a failure.
                try? fileSystem.remove(from)
            }
        }
    }

    /// Copies the file next to the destination, and then renames the copy.
    private func moveAcross(
        to destination: FilePath, _ options: DownloadOptions, replacing former: FileStatus?
    ) throws(FileFailure) {
        let copy = try TemporaryFile.make(in: destination.parent, on: fileSystem)
        do throws(FileFailure) {
            try copy.copyBytes(of: self)
            try copy.complete(options, replacing: former)
            do throws(SystemError) {
                try copy.rename(
                    to: destination, replaces: options.contains(.removePreviousFile)
                )
            } catch {
                throw failure(error, destination)
            }
        } catch {
            copy.remove()
            throw error
        }
        remove()
    }

    private func copyBytes(of original: TemporaryFile) throws(FileFailure) {
        let source = try original.descriptor(for: .read)
        try reserve(original.length)
        while length < original.length {
            guard let piece = BodyStorage(capacity: 256 * 1024) else {
                throw FileFailure(.read, path: original.path.string, error: SystemError(ENOMEM))
            }
            let count = min(Int64(piece.capacity), original.length - length)
            let buffer = UnsafeMutableRawBufferPointer(start: piece.bytes, count: Int(count))
            let place = length
            let got = try FileFailure.describing(.read, original.path.string) {
                () throws(SystemError) in
                try fileSystem.fill(buffer, from: source, at: place)
            }
            guard got == buffer.count else {
                throw FileFailure(
                    .read, path: original.path.string,
                    message: "the file became shorter while it was copied; download it again"
                )
            }
            try write([Exchange.Chunk(storage: piece, range: 0..<got)])
        }
    }

    private func failure(_ error: SystemError, _ destination: FilePath) -> FileFailure {
        let status = try? fileSystem.statusOfPath(destination.string, false)
        guard status?.kind == .directory, [EEXIST, EISDIR, ENOTEMPTY].contains(error.number)
        else { return FileFailure(.move, path: destination.string, error: error) }
        return FileFailure(.move, path: destination.string, error: SystemError(EISDIR))
    }
}

extension FilePath {
    /// Creates the path of an existing file.
    init(_ file: ReplacedFile) {
        self.init(unchecked: file.path)
    }

    /// Returns the regular file that can be replaced at this path; nil if nothing exists there.
    func replacedFile(on fileSystem: FileSystem) throws(FileFailure) -> ReplacedFile? {
        do throws(ReplacedFile.Refusal) {
            return try ReplacedFile(at: string, on: fileSystem)
        } catch {
            throw FileFailure(.move, path: string, error: error.error, advice: error.advice)
        }
    }
}
