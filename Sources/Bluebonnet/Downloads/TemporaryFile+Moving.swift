import BluebonnetTransport
import Foundation

extension TemporaryFile {
    /// Sets the permissions of the complete file and moves it to its destination, atomically.
    ///
    /// After a failure, the file still has its temporary name and the destination is unchanged.
    /// There is one exception: if the directory cannot be synchronized, the file is already moved.
    func move(to destination: FilePath, _ options: DownloadOptions) throws(FileFailure) {
        try complete(options)
        guard isInPlace else {
            throw FileFailure(
                .move, path: path.string,
                message: "the temporary file was removed or replaced; start a new download"
            )
        }
        if options.contains(.createIntermediateDirectories) {
            try destination.parent.createDirectory(on: fileSystem)
        }
        do {
            try rename(to: destination, replaces: options.contains(.removePreviousFile))
        } catch  where error.number == EXDEV {
            try moveAcross(to: destination, options)
        } catch {
            throw failure(error, destination)
        }
        close()
        if options.contains(.synchronizes) {
            try destination.parent.synchronizeDirectory(on: fileSystem)
        }
    }

    /// Releases unused reserved space, and sets the permissions that new files get.
    private func complete(_ options: DownloadOptions) throws(FileFailure) {
        try truncate(to: length)
        let descriptor = try descriptor(for: .move)
        try FileFailure.describing(.move, path.string) { () throws(SystemError) in
            try fileSystem.changeMode(descriptor, 0o666 & ~fileSystem.creationMask())
        }
        if options.contains(.synchronizes) { try synchronize() }
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
        to destination: FilePath, _ options: DownloadOptions
    ) throws(FileFailure) {
        let copy = try TemporaryFile.make(in: destination.parent, on: fileSystem)
        do throws(FileFailure) {
            try copy.copyBytes(of: self)
            try copy.complete(options)
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
