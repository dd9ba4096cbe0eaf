import BluebonnetTransport
import Foundation

/// A file that is sent as a request's body: exactly the file that was opened, or an error.
///
/// What the file was like is remembered when it is opened. Before the last piece is given out it
/// is looked at again, and so is the path: a file that has grown, shrunk, been written to, replaced
/// or removed in the meantime fails the upload, and the server never gets a body that is whole by
/// its length and mixed by its content. A change within the same tick of the file system's clock,
/// some milliseconds, and of the same length cannot be seen.
///
/// Calls block on the disk. Several may read, each for itself: a body that is sent again is read by
/// another thread, while the one before may still wait for the disk.
final class UploadFile: Sendable {
    let path: String
    /// How many bytes the body has.
    let length: Int64

    /// What the file was like when it was opened.
    let status: FileStatus

    private let fileSystem: FileSystem
    private let descriptor: Int32

    /// Opens a regular file; links are followed.
    init(_ url: URL, fileSystem: FileSystem = .linux) throws(FileFailure) {
        let path = try FilePath(url, for: .open).string
        let advice = "check the path, and that this process's user may read the file"
        // Asked before it is opened, because opening does something to a device or a pipe.
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
                message: "it is \(status.kind.rawValue); name a regular file, or send a stream"
            )
        }
    }

    /// The bytes from an offset on, as many as asked for but for the last; empty at the end.
    func read(
        at offset: Int64, upTo count: Int, into memory: PieceMemory = PieceMemory()
    ) throws(FileFailure) -> Data {
        let count = Int(min(Int64(max(1, count)), length - offset))
        let piece = try memory.piece(upTo: count) { (buffer) throws(FileFailure) in
            try fill(buffer, at: offset)
        }
        guard piece.count == count else { throw changed("it became shorter") }
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

    private func verify() throws(FileFailure) {
        let now = try FileFailure.describing(.inspect, path) { () throws(SystemError) in
            try fileSystem.status(descriptor)
        }
        guard now.size == length else {
            throw changed("it has \(now.size) bytes instead of \(length)")
        }
        guard now.modificationTime == status.modificationTime else {
            throw changed("it was written to")
        }
        // Some files, those of /proc for one, hold more than they say.
        let surplus = try PieceMemory().piece(upTo: 1) { (buffer) throws(FileFailure) in
            try fill(buffer, at: length)
        }
        guard surplus.isEmpty else {
            throw changed("it holds more than the \(length) bytes it tells of")
        }
        let named = try? SystemError.retrying { () throws(SystemError) in
            try fileSystem.statusOfPath(path, true)
        }
        guard named?.identity == status.identity else {
            throw changed("it was replaced or removed")
        }
    }

    private func changed(_ what: String) -> FileFailure {
        FileFailure(
            .read, path: path,
            message: "\(what) during the upload; send it again once nobody changes it"
        )
    }
}
