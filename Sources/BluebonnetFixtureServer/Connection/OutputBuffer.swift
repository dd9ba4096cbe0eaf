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

    mutating func flush(to stream: ConnectionStream) -> FlushResult {
        while !isEmpty {
            let outcome = bytes.withUnsafeBytes { all in
                stream.send(UnsafeRawBufferPointer(rebasing: all[start...]))
            }
            switch outcome {
            case .moved(let count): start += count
            case .blocked: return .blocked
            case .ended, .failed: return .failed
            }
        }
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.retainedCapacity)
        start = 0
        return .drained
    }
}
