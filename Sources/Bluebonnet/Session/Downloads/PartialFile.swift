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
}
