import BluebonnetTransport
import Foundation

/// A part of a body on the disk that a later download can go on with.
struct PartialFile: Sendable, Hashable {
    /// How many bytes before the end the check value covers, at most.
    static let checkedLength: Int64 = 4096

    let path: FilePath
    /// How many bytes of the body it holds, counted from the body's start.
    let length: Int64
    /// The check value of its last bytes.
    let checksum: ByteChecksum

    /// Removes it, off the caller's thread; it is opened first, so that only what is ours goes.
    func remove(on fileSystem: FileSystem = .linux) {
        DownloadFile.open(self, fileSystem: fileSystem) { result in
            if case .success(let file) = result { file.discard() }
        }
    }
}
