import Glibc

/// Writes files that only their owner can read.
package enum PrivateFile {
    /// The system call that failed, and why.
    package struct Failure: Error, CustomStringConvertible {
        package let call: String
        package let code: CInt
        /// The problem and how to fix it; nil if the error explains itself.
        package var advice: String?

        package var description: String {
            "\(call): \(SystemError(code).explained(advice: advice))"
        }
    }

    /// Replaces or creates a file with mode 0600.
    ///
    /// The contents are written to disk completely before the file replaces the old one. Only a
    /// ``ReplacedFile`` is replaced.
    package static func replace(
        atPath path: String, with bytes: UnsafeRawBufferPointer
    ) throws(Failure) {
        guard !path.utf8.contains(0) else { throw Failure(call: "open", code: EINVAL) }
        let place = try place(of: path)
        let draft = "\(place).\(UInt64.random(in: 0 ... .max))"
        // O_EXCL: never write to a file that another process has put there.
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(call: "open", code: errno) }
        do throws(Failure) {
            try fill(descriptor, with: bytes)
            guard rename(draft, place) == 0 else { throw Failure(call: "rename", code: errno) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Returns the path of the file itself, which a symbolic link can lead to.
    private static func place(of path: String) throws(Failure) -> String {
        do throws(ReplacedFile.Refusal) {
            return try ReplacedFile(at: path)?.path ?? path
        } catch {
            throw Failure(call: "replace", code: error.error.number, advice: error.advice)
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
