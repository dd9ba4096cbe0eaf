import Synchronization

extension Exchange {
    /// The status and header fields of a final response.
    ///
    /// The fields stay as the bytes that arrived until somebody asks for them.
    public struct Head: Sendable {
        /// The status code, 200 to 999.
        public let statusCode: Int
        package let block: FieldBlock

        package init(statusCode: Int, block: FieldBlock) {
            self.statusCode = statusCode
            self.block = block
        }

        /// Makes a head from fields, as a stub transport does.
        public init(statusCode: Int, fields: [Field] = []) {
            self.init(statusCode: statusCode, block: FieldBlock(fields))
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
        for span in spans where matches(span.name, name) { return text(in: span.value) }
        return nil
    }

    package func values(of name: String) -> [String] {
        var values: [String] = []
        for span in spans where matches(span.name, name) { values.append(text(in: span.value)) }
        return values
    }

    private func matches(_ range: Range<UInt32>, _ name: String) -> Bool {
        guard range.count == name.utf8.count else { return false }
        var place = Int(range.lowerBound)
        for byte in name.utf8 {
            guard bytes[place].asciiLowercased == byte.asciiLowercased else { return false }
            place += 1
        }
        return true
    }

    /// UTF-8 where the bytes are that, else ISO-8859-1, which every byte is.
    private func text(in range: Range<UInt32>) -> String {
        let part = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        if let text = String(validating: part, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(part.lazy.map { Unicode.Scalar($0) }))
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
