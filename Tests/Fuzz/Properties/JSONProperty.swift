import Foundation

@testable import Bluebonnet

#if canImport(CFuzzer)
import CBluebonnetJSON
#endif

/// The property that the library accepts the same JSON as a strict reader, with the same meaning.
///
/// This holds in every encoding.
struct JSONProperty {
    private let serializer: JSONResponseSerializer
    private let text: [UInt8]

    /// Checks an input, which has a byte of options and then the body.
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
            "wrong limits")
        let theirs = JSONResponseSerializer(options: .fragmentsAllowed)
        let ours = JSONResponseSerializer(allowsFragments: true)
        let (value, other) = (
            try? theirs.serialize(Data(body), head: nil), try? ours.serialize(Data(body), head: nil)
        )
        try require((value == nil) == (other == nil), "Alamofire's option has another meaning")
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

    /// Whether the body is UTF-8 by the rules for byte order marks and zero bytes.
    private var isPlain: Bool {
        guard text.count >= 2 else { return true }
        return text[0] < 0x80 && text[0] != 0 && text[1] != 0
    }

    private var reference: JSONReference.Value? {
        try? JSONReference.value(of: text, maximumDepth: serializer.maximumDepth)
    }

    /// Checks that the scan, which locates errors, accepts the same texts as the reference.
    private func checkSyntax() throws {
        let reference = reference
        do {
            let numbers = try Data(text).withUnsafeBytes { bytes in
                try JSONSyntax.check(bytes, maximumDepth: serializer.maximumDepth)
            }
            try require(
                reference != nil || numbers.hugeNumber != nil, "the scan accepts invalid JSON")
            try require(
                reference == nil || numbers.hugeNumber == nil, "the scan finds a huge number")
        } catch let failure as JSONSyntax.Failure {
            try require(reference == nil, "the scan rejects JSON: \(failure)")
            try require(
                (0...text.count).contains(failure.offset) && !failure.message.isEmpty,
                "an error outside the text: \(failure)")
        }
    }

    /// Checks that a new parser reads the same as one that has been used often.
    private func checkParser() throws {
        let pool = JSONParserPool(maximumCount: 0, maximumCapacity: 0)
        let used = try isRead(JSONParserPool.shared)
        try require(try isRead(pool) == used, "a parser depends on an earlier text")
        try require(pool.idleCount == 0, "a parser was kept")
    }

    #if canImport(CFuzzer)
    /// Checks that creating a parser returns nil if there is no memory.
    ///
    /// Only in the fuzzer can an allocation fail.
    private static func checkMemory() throws {
        try require(bluebonnet_json_make(1 << 44) == nil, "a parser without memory")
    }
    #endif

    private func isRead(_ pool: JSONParserPool) throws -> Bool {
        try Data(text).withUnsafeBytes { bytes in
            try pool.withParser { try $0.parse(bytes) != nil }
        }
    }

    /// Returns the value, or nil if the body is rejected, for which only a `ParseError` is allowed.
    private func outcome(of body: [UInt8]) throws -> (any Sendable)?? {
        do {
            return .some(try serializer.serialize(Data(body), head: nil))
        } catch let error as JSONResponseSerializer.ParseError {
            let isInside = error.byteOffset.map { (0...body.count).contains($0) } ?? true
            try require(isInside && !error.message.isEmpty, "an error without a location: \(error)")
            let isStranger = error.message.contains("simdjson refused")
            try require(!isStranger, "simdjson and the scan disagree")
            return nil
        }
    }

    private func checkValue(_ body: [UInt8]) throws {
        let outcome = try outcome(of: body)
        if text.isEmpty || text == [0x20] {
            guard case .some(nil) = outcome else {
                throw FuzzViolation(description: "an empty text has a value")
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
            try require(agrees, "wrong value: \(String(describing: value))")
        case (nil, nil): break
        case (.some, nil): throw FuzzViolation(description: "a text that is not JSON was accepted")
        case (nil, .some): throw FuzzViolation(description: "JSON was rejected")
        }
    }

    /// Checks that without fragments a scalar at the root is rejected, and nothing else.
    private func checkRoot() throws {
        guard case .some(let value?) = try outcome(of: text) else { return }
        let isScalar = !(value is [any Sendable] || value is [String: any Sendable])
        var strict = serializer
        strict.allowsFragments = false
        do {
            _ = try strict.serialize(Data(text), head: nil)
            try require(!isScalar, "a fragment was accepted")
        } catch let error as ResponseSerializationError {
            try require(isScalar, "rejected: \(error)")
        }
        try require(JSONParserPool.shared.idleCount <= 8, "too many parsers are kept")
    }

    /// Checks that the same text in another encoding has the same meaning.
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
        // Without a mark, the zero bytes around the first two characters reveal the encoding. Both
        // characters must then be ASCII.
        guard let body = text.data(using: encoding), !mark.isEmpty || self.text[1] < 0x80 else {
            return
        }
        try checkValue(mark + Array(body))
    }
}
