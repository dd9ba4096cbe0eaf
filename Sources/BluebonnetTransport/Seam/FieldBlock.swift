import Glibc
import Synchronization

/// Header fields as the bytes that arrived, with the places of names and values in them.
// Sendable: the memory is written by `init` and never again.
package final class FieldBlock: @unchecked Sendable {
    /// Where a field's name and value are.
    struct Span {
        var name: Range<UInt32>
        var value: Range<UInt32>
    }

    /// Spans and then bytes, in one piece: blocks are made on one thread and let go on another,
    /// where every piece costs.
    private let memory: UnsafeMutableRawPointer
    private let spanCount: Int
    private let byteCount: Int
    private let decoded = AtomicLazyReference<DecodedFields>()

    init(_ draft: FieldDraft) {
        spanCount = draft.spans.count
        byteCount = draft.bytes.count
        let spanSize = spanCount * MemoryLayout<Span>.stride
        memory = SpareMemory.take(spanSize + byteCount)
        draft.spans.withUnsafeBytes { memory.copy(from: $0) }
        draft.bytes.withUnsafeBytes { (memory + spanSize).copy(from: $0) }
    }

    package convenience init(_ fields: [Exchange.Field]) {
        var draft = FieldDraft()
        for field in fields { draft.append(field) }
        self.init(draft)
    }

    deinit {
        SpareMemory.put(memory, spanCount * MemoryLayout<Span>.stride + byteCount)
    }

    private var spans: UnsafeBufferPointer<Span> {
        UnsafeBufferPointer(
            start: UnsafePointer(memory.assumingMemoryBound(to: Span.self)),
            count: spanCount
        )
    }

    private func bytes(in range: Range<UInt32>) -> UnsafeBufferPointer<UInt8> {
        let start = memory + spanCount * MemoryLayout<Span>.stride + Int(range.lowerBound)
        return UnsafeBufferPointer(
            start: UnsafePointer(start.assumingMemoryBound(to: UInt8.self)),
            count: range.count
        )
    }

    package var fields: [Exchange.Field] {
        if let known = decoded.load() { return known.fields }
        let fresh = spans.map { span in
            Exchange.Field(name: text(bytes(in: span.name)), value: text(bytes(in: span.value)))
        }
        return decoded.storeIfNil(DecodedFields(fields: fresh)).fields
    }

    package func firstValue(of name: String) -> String? {
        var value: String?
        forEachValue(of: name) { bytes in
            value = text(bytes)
            return false
        }
        return value
    }

    package func values(of name: String) -> [String] {
        var values: [String] = []
        forEachValue(of: name) { bytes in
            values.append(text(bytes))
            return true
        }
        return values
    }

    /// Calls `body` with the bytes of each value of a name, until it returns false.
    package func forEachValue(of name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        defer { withExtendedLifetime(self) {} }
        var name = name
        name.withUTF8 { wanted in
            for span in spans where span.name.count == wanted.count {
                let found = bytes(in: span.name)
                var place = 0
                while place < wanted.count,
                    found[place].asciiLowercased == wanted[place].asciiLowercased
                {
                    place += 1
                }
                if place == wanted.count, !body(bytes(in: span.value)) { return }
            }
        }
    }

    /// UTF-8 where the bytes are that, else ISO-8859-1, which every byte is.
    private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}

/// Pieces of memory that blocks were let go of, for the next ones.
///
/// Blocks are let go in bursts on other threads than the one that makes them. Freeing them there
/// makes the loop wait for the allocator's lock, which it takes far more often than this one.
private enum SpareMemory {
    private static let size = 1024
    private static let maximumCount = 256
    // Sendable: memory that nobody uses.
    private struct Pieces: @unchecked Sendable {
        var pointers: [UnsafeMutableRawPointer] = []
    }
    private static let pieces = Locked(Pieces())

    static func take(_ count: Int) -> UnsafeMutableRawPointer {
        if count <= size, let known = pieces.withLock({ $0.pointers.popLast() }) { return known }
        // `malloc` and not Swift's, which asks for an alignment in a slower way.
        return malloc(max(size, count)) ?? .allocate(byteCount: max(size, count), alignment: 1)
    }

    static func put(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        let isKept =
            count <= size
            && pieces.withLock { pieces in
                guard pieces.pointers.count < maximumCount else { return false }
                pieces.pointers.append(memory)
                return true
            }
        if !isKept { free(memory) }
    }
}

/// Header fields while they are still arriving.
struct FieldDraft {
    var bytes: [UInt8] = []
    var spans: [FieldBlock.Span] = []

    mutating func append(_ field: Exchange.Field) {
        func append(_ text: String) -> Range<UInt32> {
            let start = UInt32(bytes.count)
            bytes.append(contentsOf: text.utf8)
            return start..<UInt32(bytes.count)
        }
        spans.append(.init(name: append(field.name), value: append(field.value)))
    }

    /// Keeps the memory, unless it is far more than most heads need.
    mutating func removeAll() {
        let isUsual = bytes.capacity <= 16 * 1024 && spans.capacity <= 256
        bytes.removeAll(keepingCapacity: isUsual)
        spans.removeAll(keepingCapacity: isUsual)
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copy(from bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
    }
}

private final class DecodedFields: Sendable {
    let fields: [Exchange.Field]

    init(fields: [Exchange.Field]) {
        self.fields = fields
    }
}
