package import Glibc

/// The system calls for files, as closures that a test can replace to inject faults.
///
/// None of them retries. Their callers do, with ``SystemError/retrying(_:)``.
package struct FileSystem: Sendable {
    package var open: @Sendable (_ path: String, _ flags: Int32) throws(SystemError) -> Int32
    package var close: @Sendable (_ descriptor: Int32) -> Void
    package var status: @Sendable (_ descriptor: Int32) throws(SystemError) -> FileStatus
    /// Returns the status of a path: of a link itself, or of its target if `followsLinks` is true.
    package var statusOfPath:
        @Sendable (_ path: String, _ followsLinks: Bool) throws(SystemError) -> FileStatus
    /// Returns the path of an existing file without symbolic links.
    package var realPath: @Sendable (_ path: String) throws(SystemError) -> String

    /// Writes pieces in order, possibly not all of them, and returns the number of bytes written.
    package var write:
        @Sendable (
            _ descriptor: Int32, _ pieces: UnsafeBufferPointer<iovec>, _ offset: Int64
        ) throws(SystemError) -> Int
    package var read:
        @Sendable (
            _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
        ) throws(SystemError) -> Int
    package var truncate:
        @Sendable (_ descriptor: Int32, _ length: Int64) throws(SystemError) -> Void
    package var reserve:
        @Sendable (_ descriptor: Int32, _ length: Int64) throws(SystemError) -> Void
    package var synchronize: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void
    /// Locks the file exclusively, or throws immediately if another descriptor holds the lock.
    package var lock: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void
    package var adviseSequential: @Sendable (_ descriptor: Int32) -> Void
    package var changeMode:
        @Sendable (_ descriptor: Int32, _ mode: UInt32) throws(SystemError) -> Void
    package var changeOwner:
        @Sendable (
            _ descriptor: Int32, _ owner: UInt32, _ group: UInt32
        ) throws(SystemError) -> Void

    package var rename: @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    /// Renames a file, or throws if the destination exists.
    package var renameExclusively:
        @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    package var link: @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    package var remove: @Sendable (_ path: String) throws(SystemError) -> Void
    package var makeDirectory: @Sendable (_ path: String) throws(SystemError) -> Void
    /// Returns the permissions that new files of this process do not get.
    package var creationMask: @Sendable () -> UInt32
}
