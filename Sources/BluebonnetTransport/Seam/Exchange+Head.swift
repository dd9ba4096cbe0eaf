import Synchronization

extension Exchange {
    /// The status and header fields of a final response.
    ///
    /// The fields stay as the bytes that arrived until somebody asks for them.
    public struct Head: Sendable {
        /// The status code, 200 to 999.
        public let statusCode: Int
        package let block: FieldBlock
        /// The length that the fields declare for the body.
        package let declaredLength: Int?

        package init(statusCode: Int, block: FieldBlock, declaredLength: Int?) {
            self.statusCode = statusCode
            self.block = block
            self.declaredLength = declaredLength
        }

        /// Makes a head from fields, as a stub transport does.
        public init(statusCode: Int, fields: [Field] = []) {
            let block = FieldBlock(fields)
            self.init(
                statusCode: statusCode,
                block: block,
                declaredLength: try? ContentLength.declared(by: block)
            )
        }

        /// All fields in the order they arrived, repeats included.
        public var fields: [Field] { block.fields }

        /// The value of the first field of that name, whatever the case it is written in.
        public subscript(name: String) -> String? { block.firstValue(of: name) }
    }
}

/// Header fields as bytes with the places of names and values in them.
package final class FieldBlock: Sendable {
    /// Where a field's name and value are.
    package struct Span: Sendable {
        var name: Range<UInt32>
        var value: Range<UInt32>
    }

    private let bytes: [UInt8]
    private let spans: [Span]
    private let decoded = AtomicLazyReference<DecodedFields>()

    package init(bytes: [UInt8], spans: [Span]) {
        self.bytes = bytes
        self.spans = spans
    }

    package convenience init(_ fields: [Exchange.Field]) {
        var bytes: [UInt8] = []
        var spans: [Span] = []
        func append(_ text: String) -> Range<UInt32> {
            let start = UInt32(bytes.count)
            bytes.append(contentsOf: text.utf8)
            return start..<UInt32(bytes.count)
        }
        for field in fields {
            spans.append(Span(name: append(field.name), value: append(field.value)))
        }
        self.init(bytes: bytes, spans: spans)
    }

    package var fields: [Exchange.Field] {
        if let known = decoded.load() { return known.fields }
        let fresh = spans.map {
            Exchange.Field(name: text(in: $0.name), value: text(in: $0.value))
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
        var name = name
        name.withUTF8 { wanted in
            bytes.withUnsafeBufferPointer { bytes in
                for span in spans where span.name.count == wanted.count {
                    let start = Int(span.name.lowerBound)
                    var place = 0
                    while place < wanted.count,
                        bytes[start + place].asciiLowercased == wanted[place].asciiLowercased
                    {
                        place += 1
                    }
                    guard place == wanted.count else { continue }
                    let value = Int(span.value.lowerBound)..<Int(span.value.upperBound)
                    if !body(UnsafeBufferPointer(rebasing: bytes[value])) { return }
                }
            }
        }
    }

    private func text(in range: Range<UInt32>) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            text(
                UnsafeBufferPointer(
                    rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]
                )
            )
        }
    }

    /// UTF-8 where the bytes are that, else ISO-8859-1, which every byte is.
    private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}

private final class DecodedFields: Sendable {
    let fields: [Exchange.Field]

    init(fields: [Exchange.Field]) {
        self.fields = fields
    }
}

extension UInt8 {
    package var asciiLowercased: UInt8 {
        self >= 0x41 && self <= 0x5A ? self | 0x20 : self
    }
}
