import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

extension LoadTests {
    /// The memory of Foundation's parser after documents were read.
    @Suite("XML parsers", .serialized)
    struct XMLParserLoad {
        /// About a quarter of the size of 10,000 bodies of 1 KB.
        static let allowedMemory = 2 << 20

        @Test(
            "10,000 documents, well-formed or not, leave memory unchanged",
            .disabled(if: ProcessState.isSanitized, "a sanitizer keeps what is freed"),
            arguments: ["feed", "fed"])
        func repeated(_ end: String) {
            let items = (0..<20).map { "<item id='\($0)'><title>t &amp; \($0)</title></item>" }
            let body = Data("<feed>\(items.joined())</\(end)>".utf8)
            func parse(_ count: Int) {
                for _ in 0..<count {
                    let serializer = XMLParserResponseSerializer()
                    let parser = try? serializer.serialize(body, head: nil).makeParser()
                    let isWellFormed = parser?.parse() ?? false
                    #expect(isWellFormed == (end == "feed"))
                }
            }
            parse(500)
            ProcessState.releaseFreedMemory()
            let start = ProcessState.residentMemory
            parse(10_000)
            ProcessState.releaseFreedMemory()
            let growth = ProcessState.residentMemory - start
            print("10,000 documents that end in \(end): \(growth) B more")
            #expect(growth < Self.allowedMemory)
        }
    }
}
