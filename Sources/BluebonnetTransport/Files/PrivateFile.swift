import Glibc

/// Writes files that only their owner can read.
package enum PrivateFile {
    /// The system call that failed, and why.
    package struct Failure: Error, CustomStringConvertible {
        package let call: String
        package let code: CInt

        package var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// Replaces or creates a file with mode 0600.
    ///
    /// The contents are written to disk completely before the file replaces the old one.
    package static func replace(
        atPath path: String, with bytes: UnsafeRawBufferPointer
    ) throws(Failure) {
        guard !path.utf8.contains(0) else { throw Failure(call: "open", code: EINVAL) }
        let draft = "\(path).\(UInt64.random(in: 0 ... .max))"
        // O_EXCL: never write to a file that another process has put there.
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

    /// Writes the bytes, flushes them to disk and closes the descriptor.
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
