import Glibc
import Synchronization

/// The received bytes of header fields, with the positions of names and values.
// Sendable: its creator adds the fields before it shares the block, and nothing is written after
// that.
package final class FieldBlock: @unchecked Sendable {
    /// The positions of a field's name and value.
    private struct Span {
        var nameStart: UInt32
        var nameCount: UInt32
        var valueStart: UInt32
        var valueCount: UInt32
    }

    /// The bytes from the start up and the spans from the end down, in one allocation.
    ///
    /// Blocks are created on one thread and released on another, where each allocation is
    /// expensive.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var byteCount = 0
    private var spanCount = 0
    /// A bit for each ``KnownField`` in the block.
    private var knownFields: UInt8 = 0
    /// The index of the first known field.
    private var firstKnownIndex = 0
    private let decoded = AtomicLazyReference<DecodedFields>()

    /// Enough for most heads.
    ///
    /// For 1 KiB or more, the allocator first consolidates its free memory.
    private static let usualCapacity = 960

    init() {
        memory = Self.makeMemory(Self.usualCapacity)
        capacity = Self.usualCapacity
    }

    package convenience init(_ fields: [Exchange.Field]) {
        self.init()
        for field in fields { append(field) }
    }

    /// Creates a block with the fields of another one, and further ones.
    convenience init(_ other: FieldBlock, adding fields: [Exchange.Field]) {
        self.init()
        grow(to: other.capacity)
        let spanSize = other.spanCount * MemoryLayout<Span>.stride
        memory.copyMemory(from: other.memory, byteCount: other.byteCount)
        (memory + (capacity - spanSize))
            .copyMemory(from: other.memory + (other.capacity - spanSize), byteCount: spanSize)
        (byteCount, spanCount) = (other.byteCount, other.spanCount)
        (knownFields, firstKnownIndex) = (other.knownFields, other.firstKnownIndex)
        for field in fields { append(field) }
    }

    deinit {
        free(memory)
    }

    // MARK: While the fields arrive

    /// The number of fields.
    package var count: Int { spanCount }
    /// The number of bytes of all names and values, and of the few bytes between them.
    package var size: Int { byteCount }

    /// Adds a line that begins with the name and also contains the value.
    func append(_ line: UnsafeRawBufferPointer, nameLength: Int, value: Range<Int>) {
        let span = Span(
            nameStart: UInt32(byteCount),
            nameCount: UInt32(nameLength),
            valueStart: UInt32(byteCount + value.lowerBound),
            valueCount: UInt32(value.count)
        )
        append(line)
        append(span)
    }

    private func append(_ field: Exchange.Field) {
        var (name, value) = (field.name, field.value)
        let span = Span(
            nameStart: UInt32(byteCount), nameCount: UInt32(name.utf8.count),
            valueStart: UInt32(byteCount + name.utf8.count), valueCount: UInt32(value.utf8.count))
        name.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        value.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        append(span)
    }

    private func append(_ span: Span) {
        spanCount += 1
        place(ofSpan: spanCount - 1).initialize(to: span)
        if let field = KnownField(name: name(in: span)) {
            if knownFields == 0 { firstKnownIndex = spanCount - 1 }
            knownFields |= field.rawValue
        }
    }

    /// The name of the last field, or nil if there is none.
    var lastName: UnsafeRawBufferPointer? {
        spanCount == 0 ? nil : name(in: place(ofSpan: spanCount - 1).pointee)
    }

    /// Appends a part to the value of the last field, after one space.
    func continueLastValue(with part: UnsafeRawBufferPointer) {
        guard spanCount > 0 else { return }
        var span = place(ofSpan: spanCount - 1).pointee
        byteCount = Int(span.valueStart + span.valueCount)
        if span.valueCount > 0 { withUnsafeBytes(of: UInt8(ascii: " ")) { append($0) } }
        append(part)
        span.valueCount = UInt32(byteCount) - span.valueStart
        place(ofSpan: spanCount - 1).pointee = span
    }

    /// Removes all fields.
    func removeAll() {
        byteCount = 0
        spanCount = 0
        knownFields = 0
    }

    /// Appends bytes, and makes room for one more span.
    // Inlined, because it runs for every line of a head, and a call would take as long as the work.
    @inline(__always)
    private func append(_ bytes: UnsafeRawBufferPointer) {
        let needed = byteCount + bytes.count + (spanCount + 1) * MemoryLayout<Span>.stride
        if needed > capacity { grow(to: max(needed, capacity * 2)) }
        (memory + byteCount).copy(from: bytes)
        byteCount += bytes.count
    }

    private func grow(to needed: Int) {
        let stride = MemoryLayout<Span>.stride
        let newCapacity = (needed + stride - 1) / stride * stride
        let fresh = Self.makeMemory(newCapacity)
        let spanSize = spanCount * stride
        fresh.copyMemory(from: memory, byteCount: byteCount)
        (fresh + (newCapacity - spanSize))
            .copyMemory(from: memory + (capacity - spanSize), byteCount: spanSize)
        free(memory)
        memory = fresh
        capacity = newCapacity
    }

    /// Allocates memory, or traps if the system has none, as Swift collections do.
    private static func makeMemory(_ count: Int) -> UnsafeMutableRawPointer {
        malloc(count) ?? .unavailable(count)
    }

    // MARK: Reading

    private func place(ofSpan index: Int) -> UnsafeMutablePointer<Span> {
        (memory + (capacity - (index + 1) * MemoryLayout<Span>.stride))
            .assumingMemoryBound(to: Span.self)
    }

    private func name(in span: Span) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + Int(span.nameStart), count: Int(span.nameCount))
    }

    private func value(in span: Span) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + Int(span.valueStart), count: Int(span.valueCount))
    }

    package var fields: [Exchange.Field] {
        if let known = decoded.load() { return known.fields }
        let fresh = (0..<spanCount).map { index in
            let span = place(ofSpan: index).pointee
            return Exchange.Field(
                name: String(fieldBytes: name(in: span)), value: String(fieldBytes: value(in: span))
            )
        }
        return decoded.storeIfNil(DecodedFields(fields: fresh)).fields
    }

    /// Returns whether the block contains a field.
    package func has(_ field: KnownField) -> Bool { knownFields & field.rawValue != 0 }

    func firstValue(of field: KnownField) -> String? {
        has(field) ? firstValue(of: "\(field.name)") : nil
    }

    package func values(of field: KnownField) -> [String] {
        has(field) ? values(of: "\(field.name)") : []
    }

    package func firstValue(of name: String) -> String? {
        var value: String?
        forEachValue(of: name) { bytes in
            value = String(fieldBytes: bytes)
            return false
        }
        return value
    }

    /// Returns the bytes of the first value of a name, which need not be valid text.
    package func firstBytes(of name: String) -> [UInt8]? {
        var value: [UInt8]?
        forEachValue(of: name) { bytes in
            value = Array(bytes)
            return false
        }
        return value
    }

    package func values(of name: String) -> [String] {
        var values: [String] = []
        forEachValue(of: name) { bytes in
            values.append(String(fieldBytes: bytes))
            return true
        }
        return values
    }

    private func forEachValue(of name: String, _ body: (UnsafeRawBufferPointer) -> Bool) {
        var name = name
        name.withUTF8 { forEachValue(of: UnsafeRawBufferPointer($0), from: 0, body) }
    }

    func forEachValue(of field: KnownField, _ body: (UnsafeRawBufferPointer) -> Bool) {
        guard has(field) else { return }
        field.name.withUTF8Buffer {
            forEachValue(of: UnsafeRawBufferPointer($0), from: firstKnownIndex, body)
        }
    }

    /// Calls `body` with the bytes of each value of a name, until it returns false.
    private func forEachValue(
        of name: UnsafeRawBufferPointer,
        from first: Int,
        _ body: (UnsafeRawBufferPointer) -> Bool
    ) {
        defer { withExtendedLifetime(self) {} }
        for index in first..<spanCount {
            let span = place(ofSpan: index).pointee
            // Most names differ in length, which is compared without a call.
            guard span.nameCount == name.count, self.name(in: span).equalsIgnoringCase(name)
            else { continue }
            if !body(value(in: span)) { return }
        }
    }
}

extension String {
    /// Creates the text of a field's name or value.
    ///
    /// The bytes are decoded as UTF-8 if they are valid UTF-8, otherwise as ISO-8859-1, in which
    /// all bytes are valid.
    init(fieldBytes bytes: UnsafeRawBufferPointer) {
        self =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
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
