import CBluebonnet
import Glibc

extension FileSystem {
    /// The system's own calls.
    package static let linux = FileSystem(
        open: { path, flags throws(SystemError) in
            try check(Glibc.open(path, flags | O_CLOEXEC, 0o600))
        },
        close: { descriptor in
            // A forked child shares the descriptor and its lock until it runs another program.
            // Without an explicit unlock, the lock would outlive this close.
            _ = flock(descriptor, LOCK_UN)
            _ = Glibc.close(descriptor)
        },
        status: { descriptor throws(SystemError) in
            var status = stat()
            try check(fstat(descriptor, &status))
            return FileStatus(status)
        },
        statusOfPath: { path, followsLinks throws(SystemError) in
            var status = stat()
            try check(followsLinks ? stat(path, &status) : lstat(path, &status))
            return FileStatus(status)
        },
        realPath: { path throws(SystemError) in
            guard let real = realpath(path, nil) else { throw .last }
            defer { free(real) }
            return String(cString: real)
        },
        write: { descriptor, pieces, offset throws(SystemError) in
            try check(pwritev(descriptor, pieces.baseAddress, Int32(pieces.count), off_t(offset)))
        },
        read: { descriptor, buffer, offset throws(SystemError) in
            try check(pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
        },
        truncate: { descriptor, length throws(SystemError) in
            try check(ftruncate(descriptor, off_t(length)))
        },
        reserve: { descriptor, length throws(SystemError) in
            try check(bb_file_reserve(descriptor, length))
        },
        synchronize: { descriptor throws(SystemError) in try check(fsync(descriptor)) },
        lock: { descriptor throws(SystemError) in try check(flock(descriptor, LOCK_EX | LOCK_NB)) },
        adviseSequential: { _ = posix_fadvise($0, 0, 0, POSIX_FADV_SEQUENTIAL) },
        changeMode: { descriptor, mode throws(SystemError) in try check(fchmod(descriptor, mode)) },
        changeOwner: { descriptor, owner, group throws(SystemError) in
            try check(fchown(descriptor, owner, group))
        },
        rename: { from, to throws(SystemError) in try check(Glibc.rename(from, to)) },
        renameExclusively: { from, to throws(SystemError) in
            try check(bb_rename_exclusively(from, to))
        },
        link: { from, to throws(SystemError) in try check(Glibc.link(from, to)) },
        remove: { path throws(SystemError) in try check(unlink(path)) },
        makeDirectory: { path throws(SystemError) in try check(mkdir(path, 0o777)) },
        creationMask: readCreationMask
    )

    @discardableResult
    private static func check<Result: SignedInteger>(
        _ result: Result
    ) throws(SystemError) -> Result {
        guard result >= 0 else { throw .last }
        return result
    }

    /// Reads the mask from `/proc`, because `umask` returns it only by changing it for all threads.
    ///
    /// Without `/proc`, only the owner gets permissions.
    private static func readCreationMask() -> UInt32 {
        let descriptor = Glibc.open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0o077 }
        defer { _ = Glibc.close(descriptor) }
        // The line is the second one of the file, so the first 512 bytes contain it.
        let text = String(unsafeUninitializedCapacity: 512) { buffer in
            max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        for line in text.split(separator: "\n") where line.hasPrefix("Umask:") {
            let digits = line.dropFirst("Umask:".count).drop { $0 == "\t" || $0 == " " }
            return UInt32(digits, radix: 8) ?? 0o077
        }
        return 0o077
    }
}
