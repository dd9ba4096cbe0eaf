import BluebonnetTransport
import Foundation

extension TemporaryFile {
    /// What every temporary file's name begins with; no other file is ever gone on with.
    static let namePrefix = ".bluebonnet-"

    /// Makes an empty file with a name that nothing else has.
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

    /// Opens a file that an earlier download kept, and cuts it to what that download had written.
    ///
    /// Nothing is changed unless the file is one of Bluebonnet's own, is long enough, and ends as
    /// the check value says.
    static func reopen(
        _ partial: PartialFile, on fileSystem: FileSystem
    ) throws(FileFailure) -> TemporaryFile {
        let path = partial.path
        guard path.name.hasPrefix(namePrefix) else {
            throw refusal(path, "it is no file that a download of Bluebonnet left")
        }
        let descriptor = try FileFailure.describing(
            .open, path.string, advice: "start the download from the beginning"
        ) { () throws(SystemError) in
            // Without waiting, should a named pipe have taken its place.
            try fileSystem.open(path.string, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        }
        let status = try claim(descriptor, path, on: fileSystem)
        let file = TemporaryFile(
            path, descriptor: descriptor, identity: status.identity, length: status.size,
            on: fileSystem
        )
        guard status.size >= partial.length else {
            throw refusal(path, "it has \(status.size) bytes instead of \(partial.length)")
        }
        guard try file.checksum(beforeEnd: partial.length) == partial.checksum else {
            throw refusal(path, "its bytes have changed")
        }
        try file.truncate(to: partial.length)
        return file
    }

    /// Makes sure that the file is a regular one that nobody else is writing to; else closes it.
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
                message: "another download is writing to it; wait for that one, or cancel it"
            )
        } catch {
            // A file system without locks is no reason to have no downloads.
        }
    }

    private static func refusal(_ path: FilePath, _ reason: String) -> FileFailure {
        FileFailure(
            .open, path: path.string, message: "\(reason); start the download from the beginning"
        )
    }
}
