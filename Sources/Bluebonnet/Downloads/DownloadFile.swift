import BluebonnetTransport
import Foundation

/// The file of one download, which writes chunks in order on a queue of its own.
///
/// Calls can come from any thread and take effect in order, on the serial queue of the file. A disk
/// that hangs therefore blocks only one download. Completions are called on that queue. The caller
/// limits the memory: chunks are held, not copied, until ``write(_:completion:)`` completes.
///
/// The first failure is passed to the failure handler, once. After that, chunks are dropped, and
/// ``finish(completion:)`` and ``move(to:options:completion:)`` complete with that failure.
///
/// The file is removed when the object is deallocated, unless it was moved or kept. A file that was
/// reopened for a resume counts as kept, because resume data refers to it, until it is restarted or
/// discarded.
final class DownloadFile: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, FileFailure>) -> Void

    private let queue: DispatchQueue
    private let writer: DownloadWriter

    private init(queue: DispatchQueue, writer: DownloadWriter) {
        self.queue = queue
        self.writer = writer
    }

    deinit {
        // Closing can wait for the disk, and `deinit` can run on any thread.
        queue.async { [writer] in writer.leave() }
    }

    /// The location of the temporary file.
    var url: URL { path.url }
    var path: FilePath { writer.path }

    // MARK: Opening

    /// Creates a temporary file in the directory of the destination; blocks on the disk.
    ///
    /// `createIntermediateDirectories` is the only option that applies here.
    static func make(
        in directory: URL,
        options: DownloadOptions = [],
        fileSystem: FileSystem = .linux,
        failureHandler: @escaping @Sendable (FileFailure) -> Void = { _ in }
    ) throws(FileFailure) -> DownloadFile {
        let path = try FilePath(directory, for: .create)
        if options.contains(.createIntermediateDirectories) {
            try path.createDirectory(on: fileSystem)
        }
        let file = try TemporaryFile.make(in: path, on: fileSystem)
        return DownloadFile(file, isKept: false, failureHandler)
    }

    /// Reopens the file of an earlier download to append to it; blocks on the disk.
    ///
    /// If it throws, the download has to start from the beginning in a new file. The rejected file
    /// is left unchanged.
    static func reopen(
        _ partial: PartialFile,
        fileSystem: FileSystem = .linux,
        failureHandler: @escaping @Sendable (FileFailure) -> Void = { _ in }
    ) throws(FileFailure) -> DownloadFile {
        let file = try TemporaryFile.reopen(partial, on: fileSystem)
        return DownloadFile(file, isKept: true, failureHandler)
    }

    /// Creates a file with ``make(in:options:fileSystem:failureHandler:)`` on a queue, without
    /// blocking.
    static func open(
        in directory: URL,
        options: DownloadOptions = [],
        fileSystem: FileSystem = .linux,
        failureHandler: @escaping @Sendable (FileFailure) -> Void = { _ in },
        completion: @escaping Completion<DownloadFile>
    ) {
        openingQueue().async {
            completion(
                Result { () throws(FileFailure) in
                    try make(
                        in: directory, options: options, fileSystem: fileSystem,
                        failureHandler: failureHandler
                    )
                }
            )
        }
    }

    /// Reopens a file with ``reopen(_:fileSystem:failureHandler:)`` on a queue, without blocking.
    static func open(
        _ partial: PartialFile,
        fileSystem: FileSystem = .linux,
        failureHandler: @escaping @Sendable (FileFailure) -> Void = { _ in },
        completion: @escaping Completion<DownloadFile>
    ) {
        openingQueue().async {
            completion(
                Result { () throws(FileFailure) in
                    try reopen(partial, fileSystem: fileSystem, failureHandler: failureHandler)
                }
            )
        }
    }

    /// Returns a queue for opening one file, so that a disk that hangs blocks only one download.
    private static func openingQueue() -> DispatchQueue {
        DispatchQueue(label: "bluebonnet.download.open")
    }

    private convenience init(
        _ file: TemporaryFile, isKept: Bool,
        _ failureHandler: @escaping @Sendable (FileFailure) -> Void
    ) {
        self.init(
            queue: DispatchQueue(label: "bluebonnet.download"),
            writer: DownloadWriter(file, isKept: isKept, failureHandler: failureHandler)
        )
    }

    // MARK: Writing

    /// Appends chunks to the file.
    ///
    /// The completion receives the number of bytes that are no longer held. It is the size of all
    /// the chunks, whether they were written or dropped.
    func write(_ chunks: [Exchange.Chunk], completion: @escaping @Sendable (Int) -> Void) {
        // The queue takes the chunks out, so that they are released before the completion runs.
        let pending = Locked(chunks)
        queue.async { [writer] in
            let count = writer.write(pending)
            completion(count)
        }
    }

    /// Reserves disk space for a body of a given length, so that a full disk fails the download at
    /// once.
    ///
    /// The space is no longer available to other files. Do not reserve a length that only the
    /// server claims and that no limit bounds.
    func reserve(_ length: Int64) {
        queue.async { [writer] in
            writer.attempt { file throws(FileFailure) in try file.reserve(length) }
        }
    }

    /// Discards the bytes written so far, to start again with the first byte of the body.
    func restart() {
        queue.async { [writer] in writer.restart() }
    }

    /// Passes the length of the file to a completion once all chunks are written.
    func finish(completion: @escaping Completion<Int64>) {
        queue.async { [writer] in completion(writer.finish()) }
    }

    // MARK: Ending

    /// Moves the complete file to its destination, where it appears whole or not at all.
    ///
    /// On the same file system, the file is renamed. Otherwise it is copied next to the destination
    /// and the copy is renamed. After a failure, the destination is unchanged and the temporary
    /// file still exists. It can be moved to another location; otherwise it is removed with this
    /// object.
    func move(
        to destination: URL, options: DownloadOptions = [], completion: @escaping Completion<URL>
    ) {
        queue.async { [writer] in completion(writer.move(to: destination, options)) }
    }

    /// Ends writing and keeps the file for a resume, with all bytes that could be written.
    ///
    /// This works after a write failure as well. Later calls fail or have no effect, except
    /// ``discard()``, which removes the file.
    func keep(options: DownloadOptions = [], completion: @escaping Completion<PartialFile>) {
        queue.async { [writer] in completion(writer.keep(options)) }
    }

    /// Removes the temporary file, even if it was kept; a file that was moved stays.
    func discard(completion: @escaping @Sendable () -> Void = {}) {
        queue.async { [writer] in
            writer.discard()
            completion()
        }
    }
}
