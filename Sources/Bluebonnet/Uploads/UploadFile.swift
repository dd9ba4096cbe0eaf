import BluebonnetTransport
import Foundation

/// A file that is sent as a request's body.
///
/// The file's status is recorded when it is opened, and compared before the last piece is returned.
/// The upload fails if the file was written to, resized, replaced or removed in the meantime. The
/// server therefore never receives a complete body with mixed content. A change that keeps the
/// length is not detected if it falls within one tick of the file system's clock, which is a few
/// milliseconds.
///
/// Calls block on the disk. Several threads can read at the same time: if a body is sent again, the
/// previous reader can still be waiting for the disk.
final class UploadFile: Sendable {
    let path: String
    /// The length of the body in bytes.
    let length: Int64

    /// The file's status when it was opened.
    let status: FileStatus

    private let fileSystem: FileSystem
    private let descriptor: Int32

    /// Opens a regular file; symbolic links are followed.
    init(_ url: URL, fileSystem: FileSystem = .linux) throws(FileFailure) {
        let path = try FilePath(url, for: .open).string
        let advice = "check the path, and that this process's user may read the file"
        // Checked before opening, because opening a device or a pipe has side effects.
        let named = try FileFailure.describing(.open, path, advice: advice) {
            () throws(SystemError) in
            try fileSystem.statusOfPath(path, true)
        }
        try Self.check(named, path)
        let descriptor = try FileFailure.describing(.open, path, advice: advice) {
            () throws(SystemError) in
            try fileSystem.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        }
        do throws(FileFailure) {
            status = try FileFailure.describing(.inspect, path) { () throws(SystemError) in
                try fileSystem.status(descriptor)
            }
            try Self.check(status, path)
        } catch {
            fileSystem.close(descriptor)
            throw error
        }
        fileSystem.adviseSequential(descriptor)
        self.path = path
        self.fileSystem = fileSystem
        self.descriptor = descriptor
        length = status.size
    }

    deinit {
        fileSystem.close(descriptor)
    }

    private static func check(_ status: FileStatus, _ path: String) throws(FileFailure) {
        guard status.kind == .regular else {
            throw FileFailure(
                .open, path: path,
                message: "it is \(status.kind.rawValue); pass a regular file, or upload a stream"
            )
        }
    }

    /// Returns `count` bytes at an offset; fewer before the end of the file, and none at its end.
    func read(
        at offset: Int64, upTo count: Int, into memory: PieceMemory = PieceMemory()
    ) throws(FileFailure) -> Data {
        let count = Int(min(Int64(max(1, count)), length - offset))
        let piece = try memory.piece(upTo: count) { (buffer) throws(FileFailure) in
            try fill(buffer, at: offset)
        }
        guard piece.count == count else { throw try endedEarly(at: offset + Int64(piece.count)) }
        if offset + Int64(count) == length { try verify() }
        return piece
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileFailure) -> Int {
        try FileFailure.describing(.read, path) { () throws(SystemError) in
            try fileSystem.fill(buffer, from: descriptor, at: offset)
        }
    }

    private func currentStatus() throws(FileFailure) -> FileStatus {
        try FileFailure.describing(.inspect, path) { () throws(SystemError) in
            try fileSystem.status(descriptor)
        }
    }

    private func verify() throws(FileFailure) {
        let now = try currentStatus()
        guard now.size == length else {
            throw changed("its size changed from \(length) to \(now.size) bytes")
        }
        guard now.modificationTime == status.modificationTime else {
            throw changed("it was written to")
        }
        let surplus = try PieceMemory().piece(upTo: 1) { (buffer) throws(FileFailure) in
            try fill(buffer, at: length)
        }
        guard surplus.isEmpty else { throw misreported("more") }
        let named = try? SystemError.retrying { () throws(SystemError) in
            try fileSystem.statusOfPath(path, true)
        }
        guard named?.identity == status.identity else {
            throw changed("it was replaced or removed")
        }
    }

    /// Returns the failure of a file whose bytes end before its length.
    private func endedEarly(at end: Int64) throws(FileFailure) -> FileFailure {
        let size = try currentStatus().size
        return size < length ? changed("it became shorter") : misreported("only \(end)")
    }

    /// Returns the failure of a file whose size is not that of its contents, as in /proc or /sys.
    private func misreported(_ what: String) -> FileFailure {
        FileFailure(
            .read, path: path,
            message: """
                its reported size is \(length) bytes, but it contains \(what); read it into Data, \
                and upload that
                """
        )
    }

    private func changed(_ what: String) -> FileFailure {
        FileFailure(
            .read, path: path,
            message: "\(what) during the upload; send it again when no process changes it"
        )
    }
}
