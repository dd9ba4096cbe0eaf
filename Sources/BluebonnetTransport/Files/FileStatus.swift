import Glibc

/// The status of a file, as the system reports it.
package struct FileStatus: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case regular = "a regular file"
        case directory = "a directory"
        case symbolicLink = "a symbolic link"
        case pipe = "a named pipe"
        case socket = "a socket"
        case device = "a device"
    }

    /// The identity of a file: two paths name the same file if their identities are equal.
    package struct Identity: Sendable, Hashable {
        package var device: UInt64
        package var number: UInt64
    }

    package var kind: Kind
    package var size: Int64
    /// The time in nanoseconds since 1970, with the precision of the file system.
    package var modificationTime: Int64
    package var identity: Identity
    /// The permission bits.
    package var mode: UInt32
    package var owner: UInt32
    package var group: UInt32

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            default: .device
            }
        size = Int64(status.st_size)
        // A file system can hold any time. Wrapping keeps two different times different.
        modificationTime =
            Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        mode = UInt32(status.st_mode & 0o7777)
        (owner, group) = (status.st_uid, status.st_gid)
    }
}
