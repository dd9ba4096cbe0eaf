import BluebonnetTransport
import Foundation

/// What a download was asked for, and how far it is; its file's owner.
///
/// It decides nothing: ``DownloadStage`` does, on the callback queue, where every method here is called.
final class Download: Sendable {
    typealias Destination = @Sendable (ResponseHead) -> URL?
    /// Where a file goes, and how.
    typealias Place = (url: URL, options: DownloadOptions)

    private let destination: (@Sendable (ResponseHead) -> Place?)?
    let fileSystem: FileSystem

    struct State {
        /// What an earlier download left, as long as it may be gone on with.
        var record: ResumeRecord?
        /// Of a record that an attempt of this task has left: where that attempt's request went, without its query.
        var attemptTarget: String?
        var response = Response()
        /// Where the file goes when it is complete, once that was asked.
        var place: URL??
        /// Whether a file without a destination gets a place of its own, and stays there.
        var keepsFile = false
        /// How it gets there, which may be known only then.
        var options: DownloadOptions
        /// Where the complete file goes; nil where it stays.
        var finalPlace: URL?
        /// Where the complete file is.
        var fileURL: URL?
        var resumeData: Data?
    }

    /// One response on its way into a file.
    ///
    /// A download that starts over begins with another one.
    struct Response {
        var stage = Stage.notBegun
        /// Where a file that is being opened goes on, and how long the whole is.
        var resumption: (offset: Int64, total: Int64)?
        /// What came before the file was open.
        var pending: [Exchange.Chunk] = []
        /// Whether the body has no place in the file.
        var dropsBody = false
        /// Whether it is over, so that the file is complete when all is written.
        var isOver = false
        /// Whether the file has the whole body, so that there is nothing to go on with.
        var isComplete = false
        /// How the task ends as soon as the file is open and has what is pending.
        var ending: TaskRun.Outcome?
        /// What follows as soon as the file is open and has what is pending, where another attempt is to go on.
        var retrying: (@Sendable (TaskDelegate) -> TaskRun.Event?)?
        /// Why its exchange has failed, which is told as soon as the file is open and has what is pending.
        var failure: BluebonnetError?
        /// How long the whole must be; nil where the server did not say.
        var expectedLength: Int64?
    }

    enum Stage {
        case notBegun
        case opening
        case open(DownloadFile)
        /// It is being kept for a later download, and the task completes after that.
        case settling
        /// Nothing more will be written: the file was moved, kept or removed.
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
        // What is offered to the caller, should nothing come of this one.
        state = Locked(State(record: record, options: options, resumeData: record?.data))
    }

    /// Makes a download whose options its destination says.
    init(placing destination: @escaping @Sendable (ResponseHead) -> Place, record: ResumeRecord?) {
        self.destination = destination
        fileSystem = .linux
        state = Locked(State(record: record, options: [], resumeData: record?.data))
    }

    var options: DownloadOptions { state.withLock { $0.options } }

    var record: ResumeRecord? { state.withLock { $0.record } }
    var fileURL: URL? { state.withLock { $0.fileURL } }
    /// The file that is being written, or is complete and has no place yet.
    var openFile: DownloadFile? {
        state.withLock { state in
            if case .open(let file) = state.response.stage { file } else { nil }
        }
    }
    /// The whole body, where it has no place yet.
    var completeFile: URL? { openFile?.url }
    var resumeData: Data? { state.withLock { $0.resumeData } }

    /// Where the file goes; the caller is asked once, however often the download starts over.
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

    /// A place in the temporary directory that nothing has taken.
    static func unusedPlace() -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("Bluebonnet_\(UUID().uuidString)", isDirectory: false)
    }

    /// Where the temporary file is made: beside the destination, so that it can be renamed.
    func directory(for place: URL?) -> URL {
        place?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
    }

    /// Removes a file; where it is what an earlier attempt has left, that is gone with it.
    func remove(_ file: DownloadFile) {
        state.withLock { state in
            if state.record?.partial.path == file.path {
                (state.record, state.attemptTarget) = (nil, nil)
            }
            // What another file holds is still good.
            state.resumeData = state.record?.data
        }
        file.discard()
    }

    /// Starts from the beginning, without what an earlier download left.
    func forgetRecord() {
        let record = state.withLock { state in
            (state.resumeData, state.attemptTarget) = (nil, nil)
            return state.record.take()
        }
        guard let record else { return }
        // Nobody can use it any more.
        record.partial.remove(on: fileSystem)
    }
}
