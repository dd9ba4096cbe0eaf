import BluebonnetTransport
import Foundation

/// A hidden file that a body is written to before it gets its name.
///
/// It belongs to its owner alone: nobody else may open it (mode 0600), and a lock keeps a second
/// download from going on with it at the same time.
// Sendable: a `DownloadFile` uses it on its serial queue only, and nothing else has it.
final class TemporaryFile: @unchecked Sendable {
    let path: FilePath
    let identity: FileStatus.Identity
    let fileSystem: FileSystem
    /// How many bytes were written, all of them from the file's start.
    private(set) var length: Int64
    private var openDescriptor: Int32?

    /// Takes over an open file; closes it when it goes.
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

    /// The open file; a failure once it was moved, kept or removed.
    func descriptor(for operation: FileFailure.Operation) throws(FileFailure) -> Int32 {
        if let openDescriptor { return openDescriptor }
        throw FileFailure(
            operation, path: path.string,
            message: "the file was already moved, kept or discarded; start a new download"
        )
    }

    // MARK: Bytes

    /// Writes chunks behind what is there; what was written before a failure counts.
    func write(_ chunks: [Exchange.Chunk]) throws(FileFailure) {
        let descriptor = try descriptor(for: .write)
        try FileFailure.describing(.write, path.string) { () throws(SystemError) in
            try fileSystem.append(chunks, to: descriptor, at: &length)
        }
    }

    /// Reserves room on the disk for a body of that length, so that a lack of it shows at once.
    ///
    /// It is a courtesy: file systems that cannot do it are left alone.
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

    /// Cuts the file to a length, and gives room that was reserved beyond it back.
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

    /// The check value of the last bytes before the end.
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
                message: "the file has become shorter; the download has to start again"
            )
        }
        return bytes.withUnsafeBytes { ByteChecksum(of: $0) }
    }

    // MARK: The name

    /// Whether the path still leads to this very file.
    var isInPlace: Bool {
        let status = try? SystemError.retrying { () throws(SystemError) in
            try fileSystem.statusOfPath(path.string, false)
        }
        return status?.identity == identity
    }

    /// Removes the file, but never another one that has taken its place.
    func remove() {
        if isInPlace { try? fileSystem.remove(path.string) }
        close()
    }
}
