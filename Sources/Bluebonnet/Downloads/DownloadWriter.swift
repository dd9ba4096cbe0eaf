import BluebonnetTransport
import Foundation

/// The work of a ``DownloadFile`` on its queue.
// Sendable: everything that changes is used on that serial queue only.
final class DownloadWriter: @unchecked Sendable {
    private let place: Download.Place
    private let fileSystem: FileSystem
    private let tell: @Sendable (FileEvent) -> Void
    private var file: TemporaryFile?
    private var failure: FileFailure?
    private var kept: PartialFile?
    /// Whether the file outlives this object.
    private var isKept = false
    private var isMoved = false

    init(
        _ place: Download.Place, _ fileSystem: FileSystem,
        tell: @escaping @Sendable (FileEvent) -> Void
    ) {
        (self.place, self.fileSystem, self.tell) = (place, fileSystem, tell)
    }

    // MARK: Opening

    func open() {
        do throws(FileFailure) {
            let path = try FilePath(place.directory, for: .create)
            if place.options.contains(.createIntermediateDirectories) {
                try path.createDirectory(on: fileSystem)
            }
            file = try TemporaryFile.make(in: path, on: fileSystem)
        } catch {
            return fail(error)
        }
        guard let refusal = refusalOfPlace() else { return }
        file?.remove()
        (failure, file) = (refusal, nil)
        tell(.failed(refusal))
    }

    func reopen(_ partial: PartialFile) {
        do throws(FileFailure) {
            file = try TemporaryFile.reopen(partial, on: fileSystem)
            isKept = true
            tell(.reopened(at: partial.length))
        } catch {
            failure = error
            tell(.cannotReopen)
        }
    }

    /// Returns a failure if the place exists and must not be replaced.
    private func refusalOfPlace() -> FileFailure? {
        // The move reports a URL that is not a path.
        guard let place = place.url, let path = try? FilePath(place, for: .move) else {
            return nil
        }
        guard self.place.options.contains(.removePreviousFile) else {
            let status = try? fileSystem.statusOfPath(path.string, false)
            return status.map { status in
                FileFailure(
                    .move, path: path.string,
                    error: SystemError(status.kind == .directory ? EISDIR : EEXIST))
            }
        }
        do throws(FileFailure) {
            _ = try path.replacedFile(on: fileSystem)
            return nil
        } catch {
            return error
        }
    }

    private func fail(_ error: FileFailure) {
        let failure = place.url.map(error.concerning) ?? error
        self.failure = failure
        tell(.failed(failure))
    }

    // MARK: Writing

    func write(_ pending: Locked<[Exchange.Chunk]>, _ size: Int) {
        let chunks = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        guard failure == nil, let file, file.isOpen else { return }
        do throws(FileFailure) {
            try file.write(chunks)
            tell(.wrote(size))
        } catch {
            fail(error)
        }
    }

    func complete() -> Result<DownloadFile.Whole, FileFailure> {
        result { file throws(FileFailure) in
            _ = try file.descriptor(for: .write)
            return DownloadFile.Whole(length: file.length, url: file.path.url)
        }
    }

    private func result<Value>(
        _ body: (TemporaryFile) throws(FileFailure) -> Value
    ) -> Result<Value, FileFailure> {
        if let failure { return .failure(failure) }
        guard let file else { return .failure(Self.isGone) }
        return Result { () throws(FileFailure) in try body(file) }
    }

    private static let isGone = FileFailure(.open, path: "", message: "the file was removed")

    // MARK: The end

    func move(to place: URL, _ options: DownloadOptions) -> Result<URL, FileFailure> {
        result { file throws(FileFailure) in
            // A URL that ends in a slash names a directory, even if that does not exist yet.
            let target = try FilePath(place, for: .move)
            guard !place.hasDirectoryPath else {
                throw FileFailure(.move, path: target.string, error: SystemError(EISDIR))
            }
            do throws(FileFailure) {
                try file.move(to: target, options)
            } catch {
                throw error.path == file.path.string ? error : error.concerning(place)
            }
            isMoved = true
            return place
        }
    }

    func keep(_ options: DownloadOptions) -> Result<PartialFile, FileFailure> {
        if let kept { return .success(kept) }
        // After a failure of any other operation, the content of the file is unknown.
        if failure?.operation == .write { failure = nil }
        return result { file throws(FileFailure) in
            try file.truncate(to: file.length)
            if options.contains(.synchronizes) { try file.synchronize() }
            let checksum = try file.checksum(beforeEnd: file.length)
            isKept = true
            file.close()
            let partial = PartialFile(path: file.path, length: file.length, checksum: checksum)
            kept = partial
            return partial
        }
    }

    func remove() {
        (isKept, kept) = (false, nil)
        leave()
        file = nil
    }

    func leave() {
        guard let file else { return }
        if isKept || isMoved { file.close() } else { file.remove() }
    }
}
