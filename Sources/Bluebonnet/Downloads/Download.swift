import BluebonnetTransport
import Foundation

/// What the caller wants from a download: the place of its file, and the file to continue.
package final class Download: Sendable {
    package typealias Destination = @Sendable (ResponseHead) -> URL?

    /// The place of a file, and the options for moving it there.
    package struct Place: Sendable {
        /// The destination; nil if the file is removed after the task's handlers have returned.
        var url: URL?
        var options: DownloadOptions

        package init(url: URL?, options: DownloadOptions) {
            self.url = url
            self.options = options
        }

        /// The directory for the temporary file, from where a rename can move it to the place.
        var directory: URL {
            url?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
        }
    }

    private let destination: (@Sendable (ResponseHead) -> Place?)?
    private let options: DownloadOptions
    /// The record of the partial file that an earlier download left.
    let record: ResumeRecord?
    /// Whether the partial file is kept if the download fails, even without the option.
    let isKeptAfterFailure: Bool
    let fileSystem: FileSystem

    init(
        destination: Destination?,
        options: DownloadOptions,
        record: ResumeRecord? = nil,
        isKeptAfterFailure: Bool = false,
        fileSystem: FileSystem = .linux
    ) {
        if let destination {
            self.destination = { head in
                destination(head).map { Place(url: $0, options: options) }
            }
        } else {
            self.destination = nil
        }
        self.options = options
        self.record = record
        self.isKeptAfterFailure = isKeptAfterFailure || record != nil
        self.fileSystem = fileSystem
    }

    /// Creates a download whose destination closure also returns the options; nil for a
    /// temporary file.
    package init(
        placing destination: (@Sendable (ResponseHead) -> Place)?, record: ResumeRecord?
    ) {
        self.destination = destination
        options = []
        self.record = record
        isKeptAfterFailure = destination != nil || record != nil
        fileSystem = .linux
    }

    /// Returns the place of the file for a head.
    ///
    /// `keepsFile` is true if a file without a destination is moved to a unique location and kept
    /// there.
    func place(for head: ResponseHead, keepsFile: Bool) -> Place {
        if let destination { return destination(head) ?? Place(url: nil, options: options) }
        return Place(url: keepsFile ? Self.unusedPlace() : nil, options: options)
    }

    /// Returns an unused location in the temporary directory.
    package static func unusedPlace() -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("Bluebonnet_\(UUID().uuidString)", isDirectory: false)
    }
}

/// What a task knows about the file of its download.
struct DownloadState {
    /// The record of the partial file that an earlier download or attempt left; nil once that file
    /// cannot be continued.
    private(set) var record: ResumeRecord?
    /// The URL, without its query, of the attempt that left `record`; nil if the record is from an
    /// earlier download.
    private(set) var attemptTarget: String?
    private(set) var resumeData: Data?
    /// The place of the file; nil until it is chosen.
    var place: Download.Place?
    /// Whether a file without a destination is moved to a unique location and kept there.
    var keepsFile = false
    /// The location of the complete file.
    var fileURL: URL?
    /// Whether the complete file was moved to its destination.
    var isMoved = false

    init(_ download: Download) {
        record = download.record
        // If this download achieves nothing, the caller gets the earlier resume data back.
        resumeData = record?.data
    }

    /// Records the partial file that an attempt has left, with its URL up to the query, or the one
    /// with which the download has ended.
    mutating func note(_ record: ResumeRecord, of target: String? = nil) {
        (self.record, resumeData, attemptTarget) = (record, record.data, target)
    }

    /// Records where the partial file of the record is in the end; nil if it is gone.
    mutating func noteSettled(_ partial: PartialFile?) {
        guard let partial, let record else {
            _ = forgetRecord()
            return
        }
        note(record.with(partial))
    }

    /// Discards the record, and returns it for the removal of its partial file.
    mutating func forgetRecord() -> ResumeRecord? {
        (resumeData, attemptTarget) = (nil, nil)
        return record.take()
    }

    /// Records that a file is removed, together with the record that refers to it.
    mutating func noteRemoval(of file: DownloadFile, keptAs kept: PartialFile? = nil) {
        if let record, file.continues(record.partial) || kept?.path == record.partial.path {
            (self.record, attemptTarget) = (nil, nil)
        }
        // The resume data of another file is still valid.
        resumeData = record?.data
    }

    /// Whether an earlier attempt has left a partial file that this attempt has not written.
    func hasLeftFile(besides file: DownloadFile?) -> Bool {
        guard attemptTarget != nil, let record else { return false }
        return file?.continues(record.partial) != true
    }
}

/// What a task knew about the file of its download when a step began.
///
/// It is an object, because few tasks have one and all would reserve space for it.
final class KnownDownload: Sendable {
    let state: DownloadState

    init(_ state: DownloadState) { self.state = state }
}
