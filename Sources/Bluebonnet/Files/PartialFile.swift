import BluebonnetTransport
import Foundation

/// A part of a body on disk that a later download can continue.
struct PartialFile: Sendable, Hashable {
    /// The maximum number of bytes that the checksum covers, counted from the end.
    static let checkedLength: Int64 = 4096

    let path: FilePath
    /// The number of bytes of the body in the file, counted from the start of the body.
    let length: Int64
    /// The checksum of the last bytes.
    let checksum: ByteChecksum

    /// Removes the file; blocks on the disk.
    ///
    /// It is opened first, so that only the file that this value describes is removed.
    func removeBlocking(on fileSystem: FileSystem = .linux) {
        // A later download to the same destination can have left a file with the same beginning.
        if path.name.hasPrefix(TemporaryFile.settledPrefix),
            (try? fileSystem.statusOfPath(path.string, false))?.size != length
        {
            return
        }
        if let file = try? TemporaryFile.reopen(self, on: fileSystem) { file.remove() }
    }

    /// Gives the file the name of the partial file of a destination, and passes on where it is;
    /// nil if it cannot be continued.
    func settle(
        at destination: URL, on fileSystem: FileSystem,
        completion: @escaping @Sendable (PartialFile?) -> Void
    ) {
        DispatchQueue(label: "bluebonnet.download.settle").async {
            var file: TemporaryFile?
            do throws(FileFailure) {
                let opened = try TemporaryFile.reopen(self, on: fileSystem)
                file = opened
                try opened.settle(at: destination)
                completion(PartialFile(path: opened.path, length: length, checksum: checksum))
            } catch {
                // Without descriptors, for example, the file stays where it is.
                if let number = error.systemErrorNumber, number != ENOENT {
                    return completion(self)
                }
                file?.remove()
                completion(nil)
            }
        }
    }

    /// Removes the file asynchronously, as ``removeBlocking(on:)`` does.
    func remove(
        on fileSystem: FileSystem = .linux, completion: @escaping @Sendable () -> Void
    ) {
        // A queue of its own, so that a disk that hangs blocks only this removal.
        DispatchQueue(label: "bluebonnet.download.remove").async {
            removeBlocking(on: fileSystem)
            completion()
        }
    }
}
