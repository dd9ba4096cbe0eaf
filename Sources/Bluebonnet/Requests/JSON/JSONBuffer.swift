import Foundation

/// The bytes of JSON while they grow; they become `Data` without being copied.
struct JSONBuffer: ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 256) {
        bytes = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { bytes.deallocate() }

    /// What is written, for as long as nothing else is.
    var written: UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: bytes, count: count)
    }

    /// A piece of what is written.
    func string(_ piece: Range<Int>) -> String {
        String(decoding: written[piece], as: UTF8.self)
    }

    /// Whether one piece comes before another, byte by byte.
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

    /// Lets `fill` write behind the text, at most so many bytes; it returns how many it wrote.
    @inline(__always)
    mutating func append(atMost room: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        makeRoom(for: room)
        count += fill(bytes + count)
    }

    /// Puts texts in, each at its place in what is written so far, in the order of their places.
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

    /// Pieces of a text that are put together to a new one.
    struct Pieces {
        fileprivate let source: UnsafeMutablePointer<UInt8>
        fileprivate let target: UnsafeMutablePointer<UInt8>
        fileprivate(set) var count = 0

        mutating func append(_ piece: Range<Int>) {
            (target + count).update(from: source + piece.lowerBound, count: piece.count)
            count += piece.count
        }
    }

    /// Replaces what is written from an offset on by pieces of it, which are no more.
    mutating func rewrite(from start: Int, _ append: (inout Pieces) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count - start + 1) { room in
            guard let target = room.baseAddress else { return }
            var pieces = Pieces(source: bytes, target: target)
            append(&pieces)
            (bytes + start).update(from: target, count: pieces.count)
            count = start + pieces.count
        }
    }

    /// The text as data; the buffer is empty then.
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
    /// Calls `body` with the text in UTF-8.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // Asked first, since it needs no copy of the text to be changed.
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
