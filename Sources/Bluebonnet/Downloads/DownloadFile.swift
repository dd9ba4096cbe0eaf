import BluebonnetTransport
import Foundation

/// The file of one response, which opens, writes and ends it in order on a queue of its own.
///
/// Every call returns at once. A disk that hangs therefore blocks only one download. The first
/// failure is the result of all later calls, except that a file can be kept after a failed write
/// and removed at any time. The caller limits the memory: chunks are held, not copied, until they
/// are written.
///
/// The file is removed when the object is deallocated, unless it was moved or kept. A file that was
/// reopened counts as kept until it is removed, because resume data refers to it.
final class DownloadFile: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, FileFailure>) -> Void

    /// A file with the whole body, at its temporary location.
    struct Whole: Sendable {
        let length: Int64
        let url: URL
    }

    let place: Download.Place
    /// The file of an earlier response that this one continues; nil for a new file.
    private let partial: PartialFile?
    private let queue = DispatchQueue(label: "bluebonnet.download")
    private let writer: DownloadWriter
    private let work: SessionWork

    /// Creates a temporary file in the directory of its place, or reopens a file to append to it.
    ///
    /// A place that must not be replaced is refused now rather than after the whole body; the move
    /// checks again. A file that cannot be reopened is left unchanged, and the download has to start
    /// from the beginning.
    init(
        reopening partial: PartialFile? = nil, at place: Download.Place, on fileSystem: FileSystem,
        for work: SessionWork, tell: @escaping @Sendable (FileEvent) -> Void
    ) {
        (self.place, self.partial, self.work) = (place, partial, work)
        writer = DownloadWriter(place, fileSystem, tell: tell)
        enqueue { writer in
            if let partial { writer.reopen(partial) } else { writer.open() }
        }
    }

    deinit {
        // Closing can wait for the disk, and `deinit` can run on any thread.
        queue.async { [writer] in writer.leave() }
    }

    /// The length of the file that this one continues; nil for a new file.
    var reopenedOffset: Int64? { partial?.length }

    /// Returns whether this is the file of an earlier response.
    func continues(_ partial: PartialFile) -> Bool { self.partial?.path == partial.path }

    /// Appends the bytes of a delivery, and tells their transfer when they are no longer held.
    func write(_ delivery: consuming Delivery) {
        // The queue takes the chunks out, so that they are released before the transfer is told.
        let pending = Locked(delivery.chunks)
        let (size, transfer) = (delivery.size, delivery.transfer)
        enqueue { writer in
            writer.write(pending, size)
            transfer?.didConsume(size)
        }
    }

    /// Passes the length and the location of the file to a completion once all bytes are written.
    func complete(then completion: @escaping Completion<Whole>) {
        enqueue { writer in completion(writer.complete()) }
    }

    /// Moves the complete file to a place, where it appears whole or not at all.
    ///
    /// On the same file system, the file is renamed. Otherwise it is copied next to the place and
    /// the copy is renamed. After a failure, the place is unchanged and the temporary file still
    /// exists.
    func move(
        to place: URL, _ options: DownloadOptions, then completion: @escaping Completion<URL>
    ) {
        enqueue { writer in completion(writer.move(to: place, options)) }
    }

    /// Ends writing and keeps the file for a resume, with all bytes that could be written.
    func keep(_ options: DownloadOptions, then completion: @escaping Completion<PartialFile>) {
        enqueue { writer in completion(writer.keep(options)) }
    }

    /// Removes the temporary file, even if it was kept; a file that was moved stays.
    func remove(then completion: @escaping @Sendable () -> Void) {
        enqueue { writer in
            writer.remove()
            completion()
        }
    }

    private func enqueue(_ body: @escaping @Sendable (DownloadWriter) -> Void) {
        queue.async(execute: work.counting { [writer] in body(writer) })
    }
}

/// What the file of a response reports to its task.
enum FileEvent: Sendable {
    /// The file of an earlier response is open, and continues at an offset.
    case reopened(at: Int64)
    /// That file cannot be continued.
    case cannotReopen
    case wrote(Int)
    /// The file cannot be opened or written, which is reported once.
    case failed(FileFailure)
}
