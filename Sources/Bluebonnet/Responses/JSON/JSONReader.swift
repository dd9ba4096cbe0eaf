import Foundation

/// Reads a JSON body (RFC 8259) into plain Swift values.
///
/// simdjson parses the body but does not report positions. A text that simdjson or ``JSONTape``
/// refuses is scanned by ``JSONSyntax``. The scan locates the error, or finds valid integers of
/// more than 64 bits.
struct JSONReader {
    let maximumDepth: Int
    let maximumSize: Int
    let removesKeysWithNullValues: Bool
    let removesNullArrayElements: Bool
    let replacesLoneSurrogates: Bool

    init(_ serializer: JSONResponseSerializer) {
        maximumDepth = min(max(serializer.maximumDepth, 0), JSONParser.maximumDepth)
        maximumSize = serializer.maximumDocumentSize
        removesKeysWithNullValues = serializer.removesKeysWithNullValues
        removesNullArrayElements = serializer.removesNullArrayElements
        replacesLoneSurrogates = serializer.replacesLoneSurrogates
    }

    /// Returns the value of a body that is not empty.
    func value(of body: Data) throws -> any Sendable {
        guard body.count <= maximumSize else {
            throw JSONResponseSerializer.ParseError(tooLarge: body, maximumSize)
        }
        var text = try JSONText(body)
        if replacesLoneSurrogates { text = text.replacingLoneSurrogates }
        if let value = try value(ofText: text.data) { return value }

        let numbers = try text.checkSyntax(maximumDepth: maximumDepth)
        if let offset = numbers.hugeNumber {
            throw text.error(at: offset, "a number too big for a Double")
        }
        guard !numbers.bigIntegerEnds.isEmpty,
            let value = try value(ofText: numbers.withFractions(text.data))
        else {
            throw JSONResponseSerializer.ParseError(
                byteOffset: nil,
                message: "simdjson refused the body, although it is valid JSON"
            )
        }
        return value
    }

    /// Returns the value of a text; nil if simdjson or the tape refuses it.
    private func value(ofText text: Data) throws -> (any Sendable)? {
        try text.withUnsafeBytes { bytes in
            try JSONParserPool.shared.withParser { parser in
                do {
                    return try parser.parse(bytes)?.root(self)
                } catch is JSONTape.Refused {
                    return nil
                }
            }
        }
    }
}
