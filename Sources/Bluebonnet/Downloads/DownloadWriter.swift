import BluebonnetTransport
import Foundation

/// The work of a ``DownloadFile`` on its queue.
// Sendable: everything except the path, which never changes, is used on that serial queue only.
final class DownloadWriter: @unchecked Sendable {
    let path: FilePath
    private let file: TemporaryFile
    private let failureHandler: @Sendable (FileFailure) -> Void
    private var failure: FileFailure?
    /// Whether the file outlives this object.
    private var isKept: Bool
    private var isMoved = false

    init(
        _ file: TemporaryFile, isKept: Bool,
        failureHandler: @escaping @Sendable (FileFailure) -> Void
    ) {
        path = file.path
        self.file = file
        self.isKept = isKept
        self.failureHandler = failureHandler
    }

    /// Runs a closure on the file, unless an earlier operation failed or the file is closed.
    func attempt(_ body: (TemporaryFile) throws(FileFailure) -> Void) {
        guard failure == nil, file.isOpen else { return }
        do {
            try body(file)
        } catch {
            failure = error
            failureHandler(error)
        }
    }

    func write(_ pending: Locked<[Exchange.Chunk]>) -> Int {
        let chunks = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        attempt { file throws(FileFailure) in try file.write(chunks) }
        return chunks.reduce(0) { $0 + $1.count }
    }

    func restart() {
        // The truncation discards the bytes that resume data refers to.
        isKept = false
        attempt { file throws(FileFailure) in try file.truncate(to: 0) }
    }

    func finish() -> Result<Int64, FileFailure> {
        if let failure { return .failure(failure) }
        return Result { () throws(FileFailure) in
            _ = try file.descriptor(for: .write)
            return file.length
        }
    }

    func move(to destination: URL, _ options: DownloadOptions) -> Result<URL, FileFailure> {
        if let failure { return .failure(failure) }
        return Result { () throws(FileFailure) in
            // A URL that ends in a slash names a directory, even if that does not exist yet.
            let target = try FilePath(destination, for: .move)
            guard !destination.hasDirectoryPath else {
                throw FileFailure(.move, path: target.string, error: SystemError(EISDIR))
            }
            do throws(FileFailure) {
                try file.move(to: target, options)
            } catch {
                throw error.path == path.string ? error : error.concerning(destination)
            }
            isMoved = true
            return destination
        }
    }

    func keep(_ options: DownloadOptions) -> Result<PartialFile, FileFailure> {
        // After a failure of any other operation, the content of the file is unknown.
        if let failure, failure.operation != .write { return .failure(failure) }
        return Result { () throws(FileFailure) in
            try file.truncate(to: file.length)
            if options.contains(.synchronizes) { try file.synchronize() }
            let checksum = try file.checksum(beforeEnd: file.length)
            isKept = true
            file.close()
            return PartialFile(path: path, length: file.length, checksum: checksum)
        }
    }

    func discard() {
        isKept = false
        leave()
    }

    func leave() {
        if isKept || isMoved { file.close() } else { file.remove() }
    }
}
