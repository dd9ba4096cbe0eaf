import Foundation

@testable import Bluebonnet

#if canImport(CFuzzer)
import CBluebonnetJSON
#endif

/// JSON is what a strict reader takes for JSON, and means the same, in every encoding.
struct JSONProperty {
    private let serializer: JSONResponseSerializer
    private let text: [UInt8]

    /// A byte of options, then the body.
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let options = input.byte()
        let body = Array(input.rest)
        let serializer = JSONResponseSerializer(
            allowsFragments: true,
            removesKeysWithNullValues: options & 1 != 0,
            removesNullArrayElements: options & 2 != 0,
            maximumDepth: options & 4 != 0 ? 5 : 512,
            maximumDocumentSize: options & 8 != 0 ? 64 : 1 << 20
        )
        try require(
            serializer.maximumBodySize == serializer.maximumDocumentSize
                && serializer.isCheap(byteCount: 0) && !JSONResponseSerializer.json.allowsFragments,
            "other limits than were asked for")
        let theirs = JSONResponseSerializer(options: .fragmentsAllowed)
        let ours = JSONResponseSerializer(allowsFragments: true)
        let (value, other) = (
            try? theirs.serialize(Data(body), head: nil), try? ours.serialize(Data(body), head: nil)
        )
        try require((value == nil) == (other == nil), "Alamofire's words mean something else")
        let property = JSONProperty(serializer: serializer, text: body)
        try property.checkSyntax()
        try property.checkParser()
        #if canImport(CFuzzer)
        if body.isEmpty { try checkMemory() }
        #endif
        if property.isPlain {
            try property.checkValue(body)
            try property.checkEncodings(options >> 4)
            try property.checkRoot()
        } else {
            _ = try property.outcome(of: body)
        }
    }

    /// Whether the body is in UTF-8 by the rules of byte order marks and zero bytes.
    private var isPlain: Bool {
        guard text.count >= 2 else { return true }
        return text[0] < 0x80 && text[0] != 0 && text[1] != 0
    }

    private var reference: JSONReference.Value? {
        try? JSONReference.value(of: text, maximumDepth: serializer.maximumDepth)
    }

    /// The scan that names places says yes and no as the reference does.
    private func checkSyntax() throws {
        let reference = reference
        do {
            let numbers = try Data(text).withUnsafeBytes { bytes in
                try JSONSyntax.check(bytes, maximumDepth: serializer.maximumDepth)
            }
            try require(
                reference != nil || numbers.hugeNumber != nil, "the scan accepts what is no JSON")
            try require(
                reference == nil || numbers.hugeNumber == nil, "the scan finds a huge number")
        } catch let failure as JSONSyntax.Failure {
            try require(reference == nil, "the scan refuses JSON: \(failure)")
            try require(
                (0...text.count).contains(failure.offset) && !failure.message.isEmpty,
                "an error outside of the text: \(failure)")
        }
    }

    /// A parser that nobody used before reads what one does that was used often.
    private func checkParser() throws {
        let pool = JSONParserPool(maximumCount: 0, maximumCapacity: 0)
        let used = try isRead(JSONParserPool.shared)
        try require(try isRead(pool) == used, "a parser depends on the text before")
        try require(pool.idleCount == 0, "a parser was kept")
    }

    #if canImport(CFuzzer)
    /// Without memory there is no parser, and nothing worse.
    ///
    /// Only the fuzzer lets an allocation fail.
    private static func checkMemory() throws {
        try require(bluebonnet_json_make(1 << 44) == nil, "a parser of any depth")
    }
    #endif

    private func isRead(_ pool: JSONParserPool) throws -> Bool {
        try Data(text).withUnsafeBytes { bytes in
            try pool.withParser { try $0.parse(bytes) != nil }
        }
    }

    /// The value, or nil where the body is refused, which happens with an error of its own alone.
    private func outcome(of body: [UInt8]) throws -> (any Sendable)?? {
        do {
            return .some(try serializer.serialize(Data(body), head: nil))
        } catch let error as JSONResponseSerializer.ParseError {
            let isInside = error.byteOffset.map { (0...body.count).contains($0) } ?? true
            try require(isInside && !error.message.isEmpty, "an error without a place: \(error)")
            let isStranger = error.message.contains("simdjson refused")
            try require(!isStranger, "simdjson and the scan disagree")
            return nil
        }
    }

    private func checkValue(_ body: [UInt8]) throws {
        let outcome = try outcome(of: body)
        if text.isEmpty || text == [0x20] {
            guard case .some(nil) = outcome else {
                throw FuzzViolation(description: "something came of nothing")
            }
            return
        }
        let reference = body.count <= serializer.maximumDocumentSize ? reference : nil
        switch (outcome, reference) {
        case (.some(let value), let reference?):
            let agrees = reference.agrees(
                with: value,
                keepsKeys: !serializer.removesKeysWithNullValues,
                keepsElements: !serializer.removesNullArrayElements)
            try require(agrees, "another value: \(String(describing: value))")
        case (nil, nil): break
        case (.some, nil): throw FuzzViolation(description: "what is no JSON was accepted")
        case (nil, .some): throw FuzzViolation(description: "JSON was refused")
        }
    }

    /// Without fragments a root that is a scalar is refused, and nothing else is.
    private func checkRoot() throws {
        guard case .some(let value?) = try outcome(of: text) else { return }
        let isScalar = !(value is [any Sendable] || value is [String: any Sendable])
        var strict = serializer
        strict.allowsFragments = false
        do {
            _ = try strict.serialize(Data(text), head: nil)
            try require(!isScalar, "a fragment was accepted")
        } catch let error as ResponseSerializationError {
            try require(isScalar, "refused: \(error)")
        }
        try require(JSONParserPool.shared.idleCount <= 8, "too many parsers are kept")
    }

    /// The same text in another encoding means the same.
    private func checkEncodings(_ choice: UInt8) throws {
        guard case .scalars(let scalars) = UnicodeReference.utf8(text), text.count > 1 else {
            return
        }
        let text = String(String.UnicodeScalarView(scalars))
        let encodings: [(mark: [UInt8], encoding: String.Encoding)] = [
            ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16BigEndian),
            ([0xFF, 0xFE], .utf16LittleEndian), ([], .utf16BigEndian), ([], .utf16LittleEndian),
            ([0, 0, 0xFE, 0xFF], .utf32BigEndian), ([0xFF, 0xFE, 0, 0], .utf32LittleEndian),
            ([], .utf32BigEndian), ([], .utf32LittleEndian),
        ]
        let (mark, encoding) = encodings[Int(choice) % encodings.count]
        // Without a mark the zero bytes around the first two characters tell, which are ASCII.
        guard let body = text.data(using: encoding), !mark.isEmpty || self.text[1] < 0x80 else {
            return
        }
        try checkValue(mark + Array(body))
    }
}
