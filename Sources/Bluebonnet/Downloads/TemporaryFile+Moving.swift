import BluebonnetTransport
import Foundation

extension TemporaryFile {
    /// Gives the complete file its permissions, its place and its name, at once or not at all.
    ///
    /// After a failure the file is still there under its temporary name, and nothing at the
    /// destination has changed, save that a directory could be named but not synchronized.
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

    /// Drops what was reserved and not used, and gives the permissions that new files get.
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
                // NFS is one that cannot. A second name for the file replaces nothing either.
                try fileSystem.link(from, to)
                // With the file in its place, a temporary name that stays is no failure.
                try? fileSystem.remove(from)
            }
        }
    }

    /// Copies to a file beside the destination, which then only needs its name.
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
