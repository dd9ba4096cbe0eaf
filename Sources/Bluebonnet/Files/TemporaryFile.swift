import BluebonnetTransport
import Foundation

/// A hidden file that a body is written to before it is moved to its destination.
///
/// Only its owner can open it (mode 0600), and a lock prevents two downloads from writing to it at
/// the same time.
// Sendable: a single `DownloadFile` uses it, on its serial queue only.
final class TemporaryFile: @unchecked Sendable {
    private(set) var path: FilePath
    let identity: FileStatus.Identity
    let fileSystem: FileSystem
    /// The number of bytes written, counted from the start of the file.
    private(set) var length: Int64
    private var openDescriptor: Int32?

    /// Creates a value that owns an open file and closes it on deinitialization.
    init(
        _ path: FilePath, descriptor: Int32, identity: FileStatus.Identity, length: Int64,
        on fileSystem: FileSystem
    ) {
        self.path = path
        self.identity = identity
        self.fileSystem = fileSystem
        self.length = length
        openDescriptor = descriptor
    }

    deinit {
        close()
    }

    func close() {
        if let openDescriptor { fileSystem.close(openDescriptor) }
        openDescriptor = nil
    }

    var isOpen: Bool { openDescriptor != nil }

    /// Returns the open descriptor; throws if the file was moved, kept or removed.
    func descriptor(for operation: FileFailure.Operation) throws(FileFailure) -> Int32 {
        if let openDescriptor { return openDescriptor }
        throw FileFailure(
            operation, path: path.string,
            message: "the file was already moved, kept or discarded; start a new download"
        )
    }

    // MARK: Bytes

    /// Appends chunks; bytes that were written before a failure are included in ``length``.
    func write(_ chunks: [Exchange.Chunk]) throws(FileFailure) {
        let descriptor = try descriptor(for: .write)
        try FileFailure.describing(.write, path.string) { () throws(SystemError) in
            try fileSystem.append(chunks, to: descriptor, at: &length)
        }
    }

    /// Reserves disk space for a body of a given length, so that a full disk is reported at once.
    ///
    /// It has no effect on file systems that do not support it.
    func reserve(_ wanted: Int64) throws(FileFailure) {
        let descriptor = try descriptor(for: .write)
        guard wanted > length else { return }
        do {
            try SystemError.retrying { () throws(SystemError) in
                try fileSystem.reserve(descriptor, wanted)
            }
        } catch  where [ENOSPC, EDQUOT, EFBIG].contains(error.number) {
            throw FileFailure(.write, path: path.string, error: error)
        } catch {}
    }

    /// Truncates the file to a length, and releases the space reserved beyond it.
    func truncate(to newLength: Int64) throws(FileFailure) {
        let descriptor = try descriptor(for: .truncate)
        try FileFailure.describing(.truncate, path.string) { () throws(SystemError) in
            try fileSystem.truncate(descriptor, newLength)
        }
        length = newLength
    }

    func synchronize() throws(FileFailure) {
        let descriptor = try descriptor(for: .synchronize)
        try FileFailure.describing(.synchronize, path.string) { () throws(SystemError) in
            try fileSystem.synchronize(descriptor)
        }
    }

    /// Returns the checksum of the last bytes before an offset.
    func checksum(beforeEnd end: Int64) throws(FileFailure) -> ByteChecksum {
        let descriptor = try descriptor(for: .read)
        let count = min(end, PartialFile.checkedLength)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let got = try FileFailure.describing(.read, path.string) { () throws(SystemError) in
            try bytes.withUnsafeMutableBufferPointer { (buffer) throws(SystemError) in
                let place = UnsafeMutableRawBufferPointer(buffer)
                return try fileSystem.fill(place, from: descriptor, at: end - count)
            }
        }
        guard got == bytes.count else {
            throw FileFailure(
                .read, path: path.string,
                message: "the file became shorter; start the download from the beginning"
            )
        }
        return bytes.withUnsafeBytes { ByteChecksum(of: $0) }
    }

    // MARK: The name

    /// Whether the path still refers to this file.
    var isInPlace: Bool {
        let status = try? SystemError.retrying { () throws(SystemError) in
            try fileSystem.statusOfPath(path.string, false)
        }
        return status?.identity == identity
    }

    /// Gives the file the name of the partial file of a destination, and replaces the one that an
    /// earlier download left there.
    ///
    /// - Throws: A failure if another download is writing to that one.
    func settle(at destination: URL) throws(FileFailure) {
        let settled = path.parent.appending(Self.settledName(for: destination))
        guard isInPlace, settled != path else { return }
        let former = try Self.claim(settled, on: fileSystem)
        try FileFailure.describing(.move, path.string) { () throws(SystemError) in
            try SystemError.retrying { () throws(SystemError) in
                try fileSystem.rename(path.string, settled.string)
            }
        }
        path = settled
        former?.close()
    }

    /// Removes the file, but not another file that has taken its place.
    func remove() {
        if isInPlace { try? fileSystem.remove(path.string) }
        close()
    }
}
