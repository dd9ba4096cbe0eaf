import Glibc

/// Bytes of replies that the kernel has not accepted yet.
struct OutputBuffer {
    enum FlushResult {
        case drained, blocked, failed
    }

    private static let retainedCapacity = 131_072

    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    mutating func flush(to descriptor: Int32) -> FlushResult {
        while !isEmpty {
            let sent = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[start...])
                return send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if sent >= 0 {
                start += sent
            } else if errno != EINTR {
                return errno == EAGAIN ? .blocked : .failed
            }
        }
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.retainedCapacity)
        start = 0
        return .drained
    }
}
