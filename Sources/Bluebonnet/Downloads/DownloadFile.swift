import BluebonnetTransport
import Foundation

/// The file of one download: chunks go in from any thread and are written in order, off it.
///
/// What is called takes effect in the order of the calls, on a queue of the file's own, so a disk
/// that hangs holds up one download and no other. Completions are called on that queue. The caller
/// bounds the memory: chunks are held, not copied, until ``write(_:completion:)`` completes.
///
/// The first failure is told to the failure handler, once; from then on chunks are dropped, and
/// ``finish(completion:)`` and ``move(to:options:completion:)`` give that failure.
///
/// The file is removed when the object goes, unless it was moved or kept. One that was opened again
/// for a resume counts as kept, since resume data points at it, until it is restarted or discarded.
final class DownloadFile: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, FileFailure>) -> Void

    private let queue: DispatchQueue
    private let writer: DownloadWriter

    private init(queue: DispatchQueue, writer: DownloadWriter) {
        self.queue = queue
        self.writer = writer
    }

    deinit {
        // Closing can wait for the disk, and this can be anybody's thread.
        queue.async { [writer] in writer.leave() }
    }

    /// The temporary file.
    var url: URL { path.url }
    var path: FilePath { writer.path }

    // MARK: Opening

    /// Makes a temporary file in the directory that the download will end in; blocks on the disk.
    ///
    /// Of the options, only `createIntermediateDirectories` matters here.
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

    /// Opens what an earlier download kept, to write behind it; blocks on the disk.
    ///
    /// A failure means that the download starts from the beginning, in a new file. The file that
    /// was refused is left as it is.
    static func reopen(
        _ partial: PartialFile,
        fileSystem: FileSystem = .linux,
        failureHandler: @escaping @Sendable (FileFailure) -> Void = { _ in }
    ) throws(FileFailure) -> DownloadFile {
        let file = try TemporaryFile.reopen(partial, on: fileSystem)
        return DownloadFile(file, isKept: true, failureHandler)
    }

    /// Opens without blocking: ``make(in:options:fileSystem:failureHandler:)`` on a queue.
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

    /// Opens without blocking: ``reopen(_:fileSystem:failureHandler:)`` on a queue.
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

    /// A queue for one opening, for the same reason that each file has its own.
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

    /// Writes chunks behind what came before.
    ///
    /// The completion is told how many bytes of the chunks are no longer held: all of them, written
    /// or dropped.
    func write(_ chunks: [Exchange.Chunk], completion: @escaping @Sendable (Int) -> Void) {
        // Taken out by the queue, so that the chunks are gone by the time of the completion.
        let pending = Locked(chunks)
        queue.async { [writer] in
            let count = writer.write(pending)
            completion(count)
        }
    }

    /// Reserves room for a body of that length, so that a full disk fails the download at once.
    ///
    /// The room is taken from everybody else, so reserve no length that only the server vouches for
    /// and no limit bounds.
    func reserve(_ length: Int64) {
        queue.async { [writer] in
            writer.attempt { file throws(FileFailure) in try file.reserve(length) }
        }
    }

    /// Forgets what was written, to begin with the body's first byte again.
    func restart() {
        queue.async { [writer] in writer.restart() }
    }

    /// Tells the file's length once all is written.
    func finish(completion: @escaping Completion<Int64>) {
        queue.async { [writer] in completion(writer.finish()) }
    }

    // MARK: Ends

    /// Moves the complete file to its destination, where it appears at once or not at all.
    ///
    /// On the same file system it is renamed, else copied beside the destination and renamed. After
    /// a failure nothing at the destination has changed, and the temporary file is still there: it
    /// can be moved to another place, else it is removed with this object.
    func move(
        to destination: URL, options: DownloadOptions = [], completion: @escaping Completion<URL>
    ) {
        queue.async { [writer] in completion(writer.move(to: destination, options)) }
    }

    /// Ends the writing and keeps the file for a resume, with what could be written of it.
    ///
    /// That goes after a failure to write as well. Calls after it fail, apart from
    /// ``discard()``, which removes the file after all.
    func keep(options: DownloadOptions = [], completion: @escaping Completion<PartialFile>) {
        queue.async { [writer] in completion(writer.keep(options)) }
    }

    /// Removes the temporary file, also one that was kept; one that was moved stays.
    func discard() {
        queue.async { [writer] in writer.discard() }
    }
}
