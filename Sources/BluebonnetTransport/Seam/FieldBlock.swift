import Glibc
import Synchronization

/// Header fields as the bytes that arrived, with the places of names and values in them.
// Sendable: fields are added by its maker, who alone has it until they are whole; nothing is written
// after that.
package final class FieldBlock: @unchecked Sendable {
    /// Where a field's name and value are.
    private struct Span {
        var nameStart: UInt32
        var nameCount: UInt32
        var valueStart: UInt32
        var valueCount: UInt32
    }

    /// Bytes from its start on and spans from its end down, in one piece: blocks are made on one
    /// thread and let go on another, where every piece costs.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var byteCount = 0
    private var spanCount = 0
    /// A bit for each ``KnownField`` that is there.
    private var knownFields: UInt8 = 0
    /// Where the first of those is.
    private var firstKnownIndex = 0
    private let decoded = AtomicLazyReference<DecodedFields>()

    /// Enough for most heads; for 1 KiB and more the allocator first tidies up what it has.
    private static let usualCapacity = 960

    init() {
        memory = Self.makeMemory(Self.usualCapacity)
        capacity = Self.usualCapacity
    }

    package convenience init(_ fields: [Exchange.Field]) {
        self.init()
        for field in fields {
            let line = Array(field.name.utf8) + field.value.utf8
            let nameLength = field.name.utf8.count
            line.withUnsafeBytes {
                append($0, nameLength: nameLength, value: nameLength..<line.count)
            }
        }
    }

    deinit {
        free(memory)
    }

    // MARK: While the fields arrive

    /// How many fields there are.
    package var count: Int { spanCount }
    /// Bytes of all names and values, and of the little that may stand between them.
    package var size: Int { byteCount }

    /// Adds a line whose first bytes are the name; the value is in it, too.
    func append(_ line: UnsafeRawBufferPointer, nameLength: Int, value: Range<Int>) {
        let span = Span(
            nameStart: UInt32(byteCount),
            nameCount: UInt32(nameLength),
            valueStart: UInt32(byteCount + value.lowerBound),
            valueCount: UInt32(value.count)
        )
        append(line)
        spanCount += 1
        place(ofSpan: spanCount - 1).initialize(to: span)
        if let field = KnownField(name: name(in: span)) {
            if knownFields == 0 { firstKnownIndex = spanCount - 1 }
            knownFields |= field.rawValue
        }
    }

    /// The name of the last field; nil where there is none.
    var lastName: UnsafeRawBufferPointer? {
        spanCount == 0 ? nil : name(in: place(ofSpan: spanCount - 1).pointee)
    }

    /// Adds to the value of the last field; one space stands for what is between the two parts.
    func continueLastValue(with part: UnsafeRawBufferPointer) {
        guard spanCount > 0 else { return }
        var span = place(ofSpan: spanCount - 1).pointee
        byteCount = Int(span.valueStart + span.valueCount)
        if span.valueCount > 0 { withUnsafeBytes(of: UInt8(ascii: " ")) { append($0) } }
        append(part)
        span.valueCount = UInt32(byteCount) - span.valueStart
        place(ofSpan: spanCount - 1).pointee = span
    }

    /// Forgets all fields.
    func removeAll() {
        byteCount = 0
        spanCount = 0
        knownFields = 0
    }

    /// Adds bytes, and makes room for a span more.
    // Every line of a head comes here: a call takes as long as the rest.
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

    /// Traps when memory is out, as growing any Swift collection does.
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

    /// Whether there is such a field.
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

    /// The bytes of the first value of a name, which may be no text.
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
            // Most differ in length already, which takes no call.
            guard span.nameCount == name.count, self.name(in: span).equalsIgnoringCase(name)
            else { continue }
            if !body(value(in: span)) { return }
        }
    }
}

extension String {
    /// Makes the text of a field's name or value: UTF-8 where the bytes are that, else ISO-8859-1,
    /// which every byte is.
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
