import Bluebonnet
import Glibc

/// Writes to open files of any kind.
enum FileWriting {
    /// Writes all of the bytes; returns the system's error number, 0 after success.
    static func write(_ data: Data, to descriptor: Int32) -> Int32 {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Another process has set O_NONBLOCK.
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }
}
