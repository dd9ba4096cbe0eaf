package import Glibc

/// The system calls that files take, as closures so that a test can put a fault in their place.
///
/// None of them retries: the callers do, through ``SystemError/retrying(_:)``.
package struct FileSystem: Sendable {
    package var open: @Sendable (_ path: String, _ flags: Int32) throws(SystemError) -> Int32
    package var close: @Sendable (_ descriptor: Int32) -> Void
    package var status: @Sendable (_ descriptor: Int32) throws(SystemError) -> FileStatus
    /// The status of what a path names: of a link itself, or of what it leads to.
    package var statusOfPath:
        @Sendable (_ path: String, _ followsLinks: Bool) throws(SystemError) -> FileStatus

    /// Writes pieces one behind the other, perhaps not all, and returns how many bytes it wrote.
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
    /// Claims the file for this descriptor alone; fails at once where another has it.
    package var lock: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void
    package var adviseSequential: @Sendable (_ descriptor: Int32) -> Void
    package var changeMode:
        @Sendable (_ descriptor: Int32, _ mode: UInt32) throws(SystemError) -> Void

    package var rename: @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    /// A rename that replaces nothing.
    package var renameExclusively:
        @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    package var link: @Sendable (_ from: String, _ to: String) throws(SystemError) -> Void
    package var remove: @Sendable (_ path: String) throws(SystemError) -> Void
    package var makeDirectory: @Sendable (_ path: String) throws(SystemError) -> Void
    /// The permissions that new files of this process do not get.
    package var creationMask: @Sendable () -> UInt32
}
