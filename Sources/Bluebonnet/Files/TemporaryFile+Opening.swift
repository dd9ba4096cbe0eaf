import BluebonnetTransport
import Foundation

extension TemporaryFile {
    /// The prefix of the name of every temporary file; other files are never continued.
    static let namePrefix = ".bluebonnet-"

    /// Creates an empty file with a unique name.
    static func make(
        in directory: FilePath, on fileSystem: FileSystem
    ) throws(FileFailure) -> TemporaryFile {
        var path = directory
        let descriptor = try FileFailure.describing(.create, directory.string) {
            () throws(SystemError) in
            var remainingAttempts = 8
            while true {
                path = directory.appending(uniqueName())
                remainingAttempts -= 1
                do throws(SystemError) {
                    return try fileSystem.open(path.string, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
                } catch  where error.number == EEXIST && remainingAttempts > 0 {
                    continue
                }
            }
        }
        do throws(FileFailure) {
            let status = try claim(descriptor, path, on: fileSystem)
            return TemporaryFile(
                path, descriptor: descriptor, identity: status.identity, length: 0, on: fileSystem
            )
        } catch {
            try? fileSystem.remove(path.string)
            throw error
        }
    }

    private static func uniqueName() -> String {
        let numbers = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
        return namePrefix + numbers.map { String($0, radix: 36) }.joined()
    }

    /// Returns the name of the partial file that downloads to a destination leave.
    static func settledName(for destination: URL) -> String {
        var path = destination.standardizedFileURL.path
        return settledPrefix + path.withUTF8 { ByteChecksum(of: UnsafeRawBufferPointer($0)).text }
    }

    /// The prefix of the names of files that downloads to a destination leave one after the other.
    static let settledPrefix = namePrefix + "to-"

    /// Opens and locks a file, so that it can be replaced; nil if it does not exist.
    static func claim(
        _ path: FilePath, on fileSystem: FileSystem
    ) throws(FileFailure) -> TemporaryFile? {
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try fileSystem.open(
                path.string, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        } catch {
            if error.number == ENOENT { return nil }
            throw FileFailure(.open, path: path.string, error: error)
        }
        let status = try claim(descriptor, path, on: fileSystem)
        return TemporaryFile(
            path, descriptor: descriptor, identity: status.identity, length: status.size,
            on: fileSystem)
    }

    /// Reopens a file that an earlier download kept, and truncates it to the length that was kept.
    ///
    /// The file is changed only if it is one of Bluebonnet's own, is long enough, and matches the
    /// checksum.
    static func reopen(
        _ partial: PartialFile, on fileSystem: FileSystem
    ) throws(FileFailure) -> TemporaryFile {
        let path = partial.path
        guard path.name.hasPrefix(namePrefix) else {
            throw refusal(path, "it is not a partial download of Bluebonnet")
        }
        let descriptor = try FileFailure.describing(
            .open, path.string, advice: "start the download from the beginning"
        ) { () throws(SystemError) in
            // Does not block if a named pipe has taken the place of the file.
            try fileSystem.open(path.string, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        }
        let status = try claim(descriptor, path, on: fileSystem)
        let file = TemporaryFile(
            path, descriptor: descriptor, identity: status.identity, length: status.size,
            on: fileSystem
        )
        // Another download can have replaced the file before the lock was taken.
        guard file.isInPlace else { throw refusal(path, "it was replaced") }
        guard status.size >= partial.length else {
            throw refusal(path, "it has \(status.size) bytes instead of \(partial.length)")
        }
        guard try file.checksum(beforeEnd: partial.length) == partial.checksum else {
            throw refusal(path, "its bytes have changed")
        }
        try file.truncate(to: partial.length)
        return file
    }

    /// Returns the status of a regular file after locking it; closes the descriptor on failure.
    private static func claim(
        _ descriptor: Int32, _ path: FilePath, on fileSystem: FileSystem
    ) throws(FileFailure) -> FileStatus {
        do throws(FileFailure) {
            let status = try FileFailure.describing(.inspect, path.string) {
                () throws(SystemError) in
                try fileSystem.status(descriptor)
            }
            guard status.kind == .regular else {
                throw refusal(path, "it is \(status.kind.rawValue)")
            }
            try lock(descriptor, path, on: fileSystem)
            return status
        } catch {
            fileSystem.close(descriptor)
            throw error
        }
    }

    private static func lock(
        _ descriptor: Int32, _ path: FilePath, on fileSystem: FileSystem
    ) throws(FileFailure) {
        do {
            try SystemError.retrying { () throws(SystemError) in try fileSystem.lock(descriptor) }
        } catch  where error.number == EWOULDBLOCK {
            throw FileFailure(
                .open, path: path.string,
                message: "another download is writing to it; wait for that download, or cancel it"
            )
        } catch {
            // Downloads must also work on file systems without locks.
        }
    }

    private static func refusal(_ path: FilePath, _ reason: String) -> FileFailure {
        FileFailure(
            .open, path: path.string, message: "\(reason); start the download from the beginning"
        )
    }
}
