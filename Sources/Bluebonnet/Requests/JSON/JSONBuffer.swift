import Foundation

/// A growing buffer of JSON bytes, which becomes `Data` without a copy.
struct JSONBuffer: ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 256) {
        bytes = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { bytes.deallocate() }

    /// The bytes written so far, valid until the buffer is modified.
    var written: UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: bytes, count: count)
    }

    /// Returns a range of the written bytes as a string.
    func string(_ piece: Range<Int>) -> String {
        String(decoding: written[piece], as: UTF8.self)
    }

    /// Returns whether one range of the written bytes precedes another, in byte order.
    func precedes(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        let difference = memcmp(
            bytes + one.lowerBound, bytes + other.lowerBound, min(one.count, other.count))
        return difference < 0 || difference == 0 && one.count < other.count
    }

    mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        bytes[count] = byte
        count += 1
    }

    mutating func append(literal text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ other: UnsafeBufferPointer<UInt8>) {
        guard let start = other.baseAddress else { return }
        makeRoom(for: other.count)
        (bytes + count).update(from: start, count: other.count)
        count += other.count
    }

    mutating func append(repeating byte: UInt8, count added: Int) {
        makeRoom(for: added)
        (bytes + count).update(repeating: byte, count: added)
        count += added
    }

    mutating func append(_ text: String) { text.withBytes { append($0) } }

    mutating func truncate(to count: Int) { self.count = min(self.count, count) }

    /// Lets `fill` append up to `room` bytes; `fill` returns the number of bytes written.
    @inline(__always)
    mutating func append(atMost room: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        makeRoom(for: room)
        count += fill(bytes + count)
    }

    /// Inserts texts at offsets into the written bytes; the offsets must be in ascending order.
    mutating func insert(_ insertions: [(offset: Int, text: UnsafeBufferPointer<UInt8>)]) {
        let added = insertions.reduce(0) { $0 + $1.text.count }
        makeRoom(for: added)
        var (end, shift) = (count, added)
        for (offset, text) in insertions.reversed() {
            (bytes + offset + shift).update(from: bytes + offset, count: end - offset)
            shift -= text.count
            if let start = text.baseAddress {
                (bytes + offset + shift).update(from: start, count: text.count)
            }
            end = offset
        }
        count += added
    }

    /// A new text assembled from pieces of the written bytes.
    struct Pieces {
        fileprivate let source: UnsafeMutablePointer<UInt8>
        fileprivate let target: UnsafeMutablePointer<UInt8>
        fileprivate(set) var count = 0

        mutating func append(_ piece: Range<Int>) {
            (target + count).update(from: source + piece.lowerBound, count: piece.count)
            count += piece.count
        }
    }

    /// Replaces the bytes from an offset to the end with at most as many bytes from the buffer.
    mutating func rewrite(from start: Int, _ append: (inout Pieces) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count - start + 1) { room in
            guard let target = room.baseAddress else { return }
            var pieces = Pieces(source: bytes, target: target)
            append(&pieces)
            (bytes + start).update(from: target, count: pieces.count)
            count = start + pieces.count
        }
    }

    /// Returns the written bytes as data, and empties the buffer.
    mutating func take() -> Data {
        let taken = bytes
        let data = Data(
            bytesNoCopy: taken, count: count, deallocator: .custom { _, _ in taken.deallocate() })
        (bytes, capacity, count) = (.allocate(capacity: 1), 1, 0)
        return data
    }

    @inline(__always)
    private mutating func makeRoom(for added: Int) {
        if capacity - count < added { grow(by: added) }
    }

    @inline(never)
    private mutating func grow(by added: Int) {
        capacity = max(2 * capacity, count + added)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: bytes, count: count)
        bytes.deallocate()
        bytes = larger
    }
}

extension String {
    /// Calls `body` with the UTF-8 bytes of the string.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // Tried first, because `withUTF8` needs a mutable copy.
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
