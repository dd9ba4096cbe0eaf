import BluebonnetTransport
import Foundation

/// The state of one download: its destination, its options and its file.
///
/// It makes no decisions: ``DownloadStage`` does, on the callback queue. Every method here is
/// called on that queue.
final class Download: Sendable {
    typealias Destination = @Sendable (ResponseHead) -> URL?
    /// The destination of a file and the options for moving it there.
    typealias Place = (url: URL, options: DownloadOptions)

    private let destination: (@Sendable (ResponseHead) -> Place?)?
    let fileSystem: FileSystem

    struct State {
        /// The record of the partial file that an earlier download or attempt left; nil once that
        /// file cannot be continued.
        var record: ResumeRecord?
        /// The URL, without its query, of the attempt that left `record`; nil if the record is from
        /// an earlier download.
        var attemptTarget: String?
        var response = Response()
        /// The destination of the file, if it has one; the outer nil means that it is not chosen
        /// yet.
        var place: URL??
        /// Whether a file without a destination is moved to a unique location and kept there.
        var keepsFile = false
        /// The options for moving the file, which can depend on the destination.
        var options: DownloadOptions
        /// The location that the complete file is moved to; nil if it stays where it is.
        var finalPlace: URL?
        /// The location of the complete file.
        var fileURL: URL?
        var resumeData: Data?
    }

    /// One response that is written to a file.
    ///
    /// A download that starts over begins with a new value.
    struct Response {
        var stage = Stage.notBegun
        /// The offset at which a reopened file continues, and the length of the complete file.
        var resumption: (offset: Int64, total: Int64)?
        /// The chunks that arrived before the file was open.
        var pending: [Exchange.Chunk] = []
        /// Whether the body is discarded because it is not part of the file.
        var dropsBody = false
        /// Whether the response has ended, so that the file is complete once all chunks are
        /// written.
        var isOver = false
        /// Whether the file contains the whole body, so that nothing is left to resume.
        var isComplete = false
        /// The outcome of the task, settled once the file is open and has the pending chunks.
        var ending: TaskRun.Outcome?
        /// The start of the next attempt, called once the file is open and has the pending chunks.
        var retrying: (@Sendable (TaskDelegate) -> TaskRun.Event?)?
        /// The failure of the exchange, reported once the file is open and has the pending chunks.
        var failure: BluebonnetError?
        /// The required length of the complete file; nil if the server did not announce it.
        var expectedLength: Int64?
    }

    enum Stage {
        case notBegun
        case opening
        case open(DownloadFile)
        /// The file is being kept; a task that ends meanwhile completes afterward.
        case settling
        /// Nothing more is written: the file was moved, kept or removed.
        case settled
    }

    let state: Locked<State>

    init(
        destination: Destination?,
        options: DownloadOptions,
        record: ResumeRecord? = nil,
        fileSystem: FileSystem = .linux
    ) {
        if let destination {
            self.destination = { head in destination(head).map { ($0, options) } }
        } else {
            self.destination = nil
        }
        self.fileSystem = fileSystem
        // If this download achieves nothing, the caller gets the earlier resume data back.
        state = Locked(State(record: record, options: options, resumeData: record?.data))
    }

    /// Creates a download whose destination closure also returns the options.
    init(placing destination: @escaping @Sendable (ResponseHead) -> Place, record: ResumeRecord?) {
        self.destination = destination
        fileSystem = .linux
        state = Locked(State(record: record, options: [], resumeData: record?.data))
    }

    var options: DownloadOptions { state.withLock { $0.options } }

    var record: ResumeRecord? { state.withLock { $0.record } }
    var fileURL: URL? { state.withLock { $0.fileURL } }
    /// The file that is being written, or that is complete and not moved yet.
    var openFile: DownloadFile? {
        state.withLock { state in
            if case .open(let file) = state.response.stage { file } else { nil }
        }
    }
    /// The location of the complete body while it is not moved yet.
    var completeFile: URL? { openFile?.url }
    var resumeData: Data? { state.withLock { $0.resumeData } }

    /// Returns the destination of the file.
    ///
    /// The caller's closure is called once, even if the download starts over.
    func place(for head: ResponseHead) -> URL? {
        if let known = state.withLock({ $0.place }) { return known }
        let keepsFile = state.withLock { $0.keepsFile }
        let place =
            if let destination { destination(head) } else {
                keepsFile ? (Self.unusedPlace(), []) : nil as Place?
            }
        state.withLock { state in
            state.place = .some(place?.url)
            if let place { state.options = place.options }
        }
        return place?.url
    }

    /// Returns an unused location in the temporary directory.
    static func unusedPlace() -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("Bluebonnet_\(UUID().uuidString)", isDirectory: false)
    }

    /// Returns the directory for the temporary file, from where a rename can move it to `place`.
    func directory(for place: URL?) -> URL {
        place?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
    }

    /// Removes a file, together with the record that refers to it.
    func remove(_ file: DownloadFile, completion: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            if state.record?.partial.path == file.path {
                (state.record, state.attemptTarget) = (nil, nil)
            }
            // The resume data of another file is still valid.
            state.resumeData = state.record?.data
        }
        file.discard(completion: completion)
    }

    /// Discards the record and its partial file, so that the download starts from the beginning.
    func forgetRecord(completion: @escaping @Sendable () -> Void = {}) {
        let record = state.withLock { state in
            (state.resumeData, state.attemptTarget) = (nil, nil)
            return state.record.take()
        }
        guard let record else { return completion() }
        record.partial.remove(on: fileSystem, completion: completion)
    }
}
