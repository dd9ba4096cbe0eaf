import Glibc

/// Received bytes that no request has consumed yet.
struct InputBuffer {
    private static let compactionThreshold = 65_536

    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ received: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: received)
    }

    /// Takes up to `limit` bytes from the front.
    mutating func take(upTo limit: Int) -> ArraySlice<UInt8> {
        let taken = bytes[start..<start + min(limit, count)]
        discard(taken.count)
        return taken
    }

    /// Takes the bytes before `delimiter` and discards the delimiter.
    ///
    /// Returns nil if the delimiter has not arrived.
    mutating func take(before delimiter: [UInt8], searchFrom offset: Int = 0) -> [UInt8]? {
        guard let end = firstOffset(of: delimiter, from: offset) else { return nil }
        let taken = Array(bytes[start..<start + end])
        discard(end + delimiter.count)
        return taken
    }

    mutating func removeAll() {
        bytes = []
        start = 0
    }

    private mutating func discard(_ amount: Int) {
        start += amount
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.compactionThreshold)
            start = 0
        } else if start > Self.compactionThreshold, start > bytes.count / 2 {
            bytes.removeSubrange(..<start)
            start = 0
        }
    }

    private func firstOffset(of delimiter: [UInt8], from offset: Int) -> Int? {
        guard offset < count else { return nil }
        return bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, let first = delimiter.first else { return nil }
            var position = start + offset
            while position + delimiter.count <= all.count,
                let found = memchr(base + position, Int32(first), all.count - position)
            {
                position = UnsafeRawPointer(found) - base
                if all[position...].starts(with: delimiter) { return position - start }
                position += 1
            }
            return nil
        }
    }
}
