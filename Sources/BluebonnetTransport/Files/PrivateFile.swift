import Glibc

/// Writes files that only their owner may read.
package enum PrivateFile {
    /// The system call that failed, and why.
    package struct Failure: Error, CustomStringConvertible {
        package let call: String
        package let code: CInt

        package var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// Replaces a file, or makes it, with mode 0600: whole and on the disk, or not at all.
    package static func replace(
        atPath path: String, with bytes: UnsafeRawBufferPointer
    ) throws(Failure) {
        guard !path.utf8.contains(0) else { throw Failure(call: "open", code: EINVAL) }
        let draft = "\(path).\(UInt64.random(in: 0 ... .max))"
        // Never a file that somebody else has put there.
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(call: "open", code: errno) }
        do throws(Failure) {
            try fill(descriptor, with: bytes)
            guard rename(draft, path) == 0 else { throw Failure(call: "rename", code: errno) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Writes, waits for the disk and closes.
    private static func fill(
        _ descriptor: CInt, with bytes: UnsafeRawBufferPointer
    ) throws(Failure) {
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = write(descriptor, piece.baseAddress, piece.count)
            guard count >= 0 || errno == EINTR else { throw Failure(call: "write", code: errno) }
            rest = rest.dropFirst(max(count, 0))
        }
        guard fsync(descriptor) == 0 else { throw Failure(call: "fsync", code: errno) }
    }
}
