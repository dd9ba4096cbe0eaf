import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

extension LoadTests {
    /// Documents crafted to take memory and time.
    @Suite("Hostile documents", .serialized)
    struct HostileDocuments {
        /// In addition to the body itself.
        static let allowedMemory = 64 * 1024 * 1024
        static var allowedSeconds: Double {
            if ProcessState.isSanitized { return 10 }
            #if DEBUG
            // The C parsers are not optimized there and take more than twice as long.
            return 2
            #else
            return 1
            #endif
        }

        /// The parts of a kind of document, and the message of the refusal.
        struct Kind: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let message: String
            let start: String
            let unit: String
            /// The number of repetitions, or nil for as many as fit in the largest body.
            var count: Int?
            var end = ""
        }

        static let attributesSize = LoadVariant.pick(short: 128 << 20, full: 1 << 30)

        static let kinds = [
            Kind(
                testDescription: "billion laughs", message: "internal subset",
                start: "<!DOCTYPE r [<!ENTITY a0 'ha'>"
                    + (1..<30).map { number in
                        let references = String(repeating: "&a\(number - 1);", count: 10)
                        return "<!ENTITY a\(number) '\(references)'>"
                    }.joined() + "]><r>&a29;",
                unit: "&a29;", count: 1_000, end: "</r>"),
            Kind(
                testDescription: "quadratic blow-up", message: "internal subset",
                start: "<!DOCTYPE r [<!ENTITY a '\(String(repeating: "x", count: 1 << 20))'>]><r>",
                unit: "&a;", count: 1 << 20, end: "</r>"),
            Kind(
                testDescription: "nesting of 10^5", message: "nested deeper than 256",
                start: "", unit: "<a>", count: 100_000, end: "</a>"),
            Kind(
                testDescription: "attributes of one element", message: "more than 1000 attributes",
                start: "<r ", unit: "a='' "),
            Kind(
                testDescription: "one attribute", message: "more than 10000000 bytes",
                start: "<r a='", unit: "xxxxxxxxxxxxxxxx"),
            Kind(
                testDescription: "namespace declarations", message: "namespace declarations",
                start: "<r \((0..<257).map { "xmlns:a\($0)='u' " }.joined())", unit: " ",
                count: 1, end: "/>"),
            Kind(
                testDescription: "namespaces of many elements", message: "namespace declarations",
                start: (0..<2).map { element in
                    "<r \((0..<200).map { "xmlns:a\(element)b\($0)='u' " }.joined())>"
                }.joined(), unit: "<b/>", count: 1 << 20, end: "</r></r>"),
            Kind(
                testDescription: "different names", message: "more than 65536 different names",
                start: "<r>" + (0..<400_000).map { "<x\($0)/>" }.joined(), unit: "<x/>",
                count: 1 << 20, end: "</r>"),
            Kind(
                testDescription: "different namespaces", message: "more than 65536 different names",
                start: "<r>" + (0..<200_000).map { "<x xmlns='u\($0)'/>" }.joined(), unit: "<x/>",
                count: 1 << 20, end: "</r>"),
            Kind(
                testDescription: "a name without end", message: "Huge input lookup",
                start: "<r", unit: "xxxxxxxxxxxxxxxx"),
            Kind(
                testDescription: "a declaration without end", message: "too long",
                start: "<!DOCTYPE r SYSTEM '", unit: "xxxxxxxxxxxxxxxx"),
            Kind(
                testDescription: "a comment without end", message: "Comment too big",
                start: "<!--", unit: "xxxxxxxxxxxxxxxx"),
            Kind(
                testDescription: "invalid UTF-8 at the end", message: "internal error",
                start: "<r>", unit: "<a/>", count: 4 << 20, end: "\u{0}"),
            Kind(
                testDescription: "an encoding that hides markup", message: "is not supported",
                start: "<?xml version='1.0' encoding='UTF-7'?><r>", unit: "+ADw-a+AD4-",
                count: 1 << 20, end: "</r>"),
            Kind(
                testDescription: "a tag of 8 MB", message: "more than 65536 bytes",
                start: "<r", unit: "                ", count: 1 << 19, end: "/>"),
            Kind(
                testDescription: "an end tag of 8 MB", message: "more than 65536 bytes",
                start: "<r></r", unit: "                ", count: 1 << 19, end: ">"),
            Kind(
                testDescription: "an attribute of 8 MB", message: "more than 65536 bytes",
                start: "<r a='", unit: "xxxxxxxxxxxxxxxx", count: 1 << 19, end: "'/>"),
            Kind(
                testDescription: "references of 8 MB in an attribute",
                message: "more than 65536 bytes",
                start: "<r a='", unit: "&amp;", count: 1_600_000, end: "'/>"),
            Kind(
                testDescription: "different attributes of 8 MB",
                message: "more than 1000 attributes",
                start: "<r" + (0..<700_000).map { " a\($0)=''" }.joined(), unit: " ", count: 1,
                end: "/>"),
            Kind(
                testDescription: "a namespace of 8 MB", message: "more than 65536 bytes",
                start: "<r xmlns:a='", unit: "xxxxxxxxxxxxxxxx", count: 1 << 19, end: "'/>"),
            Kind(
                testDescription: "different namespaces of 8 MB", message: "namespace declarations",
                start: "<r" + (0..<450_000).map { " xmlns:a\($0)='u'" }.joined(), unit: " ",
                count: 1, end: "/>"),
            Kind(
                testDescription: "a name of 8 MB", message: "too long",
                start: "<r", unit: "xxxxxxxxxxxxxxxx", count: 1 << 19, end: "/>"),
            Kind(
                testDescription: "an instruction's name of 8 MB", message: "too long",
                start: "<?r", unit: "xxxxxxxxxxxxxxxx", count: 1 << 19, end: "?><r/>"),
            Kind(
                testDescription: "an XML declaration of 8 MB", message: "more than 16384 bytes",
                start: "<?xml version='1.", unit: "0000000000000000", count: 1 << 19,
                end: "'?><r/>"),
            Kind(
                testDescription: "white space without end", message: "more than 10000000 bytes",
                start: "<r", unit: "                "),
        ]

        /// Returns the body, whose zero bytes become bytes that no encoding has.
        static func body(_ kind: Kind) -> Data {
            let unit = Data(kind.unit.utf8)
            let count = kind.count ?? attributesSize / unit.count
            var body = Data(
                capacity: kind.start.utf8.count + unit.count * count + kind.end.utf8.count)
            body.append(Data(kind.start.utf8))
            // In larger pieces, because building 1 GiB byte by byte takes long.
            let piece = Data((0..<min(count, 4_096)).flatMap { _ in unit })
            for _ in 0..<count / 4_096 { body.append(piece) }
            body.append(piece.prefix(count % 4_096 * unit.count))
            body.append(contentsOf: kind.end.utf8.map { $0 == 0 ? 0xFF : $0 })
            return body
        }

        @Test(
            "both XML serializers refuse it in one second and 64 MiB, without a size limit",
            arguments: kinds)
        func refused(_ kind: Kind) throws {
            let body = Self.body(kind)
            let document = XMLDocumentResponseSerializer(maximumDocumentSize: .max)
            let parser = XMLParserResponseSerializer(maximumDocumentSize: .max)
            let list = PropertyListResponseSerializer(maximumDocumentSize: .max)
            try Self.measure(kind, body) { _ = try document.serialize($0, head: nil) }
            try Self.measure(kind, body) { _ = try list.serialize($0, head: nil) }
            try Self.measure(kind, body) { _ = try parser.serialize($0, head: nil) }
        }

        @Test("a body over the maximum size is refused unread")
        func size() throws {
            let kind = Kind(
                testDescription: "too large", message: "more than the limit of 16777216",
                start: "<r>", unit: "xxxxxxxxxxxxxxxx")
            try Self.measure(kind, Self.body(kind)) {
                _ = try XMLDocumentResponseSerializer().serialize($0, head: nil)
            }
        }

        private static func measure(
            _ kind: Kind, _ body: Data, _ serialize: (Data) throws -> Void
        ) throws {
            ProcessState.releaseFreedMemory()
            let idle = ProcessState.residentMemory
            ProcessState.forgetPeakMemory()
            // Processor time, because the load of the machine has no influence on it.
            let start = ProcessState.processorTime
            let error = #expect(throws: XMLTree.ParseError.self) { try serialize(body) }
            let seconds = ProcessState.processorTime - start
            let growth = ProcessState.peakMemory - idle
            print("\(kind.testDescription), \(body.count) B: \(growth) B above, \(seconds) s")
            #expect(try #require(error).message.contains(kind.message), "\(error as Any)")
            #expect(seconds < allowedSeconds)
            if !ProcessState.isSanitized { #expect(growth <= allowedMemory) }
        }
    }
}
