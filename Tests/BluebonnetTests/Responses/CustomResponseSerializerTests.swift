import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

struct CSVResponseSerializer: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>? = .successStatusCodes
    var acceptableContentTypes: Set<String>? = ["text/csv"]

    func serialize(_ data: Data, head: ResponseHead?) throws -> [[String]] {
        if isEmptyBody(data, head: head) { return [] }
        let text = try StringResponseSerializer().serialize(data, head: head)
        return text.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

@Suite("A custom response serializer")
struct CustomResponseSerializerTests {
    @Test("two properties and one method validate and read a response")
    func custom() throws {
        let serializer = CSVResponseSerializer()
        let body = Data("a,é\n,2\n".utf8)
        let type = try head(type: "text/csv; charset=utf-8")
        #expect(try serializer.serialize(body, head: type) == [["a", "é"], ["", "2"]])
        #expect(verdict(serializer, type) == nil)
        #expect(verdict(serializer, try head(type: "text/html")) != nil)
        #expect(verdict(serializer, try head(404, type: "text/csv")) != nil)
        for head in try bodilessHeads() {
            #expect(try serializer.serialize(body, head: head).isEmpty)
        }
    }

    @Test("the example in the documentation is the one above")
    func documented() throws {
        let article = try String(
            contentsOf: PackageDirectory.url(
                of: "Sources/Bluebonnet/Documentation.docc/Serializers.md"), encoding: .utf8)
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let start = try #require(source.range(of: "struct CSVResponseSerializer"))
        let end = try #require(source.range(of: "\n}\n", range: start.lowerBound..<source.endIndex))
        #expect(article.contains("```swift\n\(source[start.lowerBound..<end.upperBound])```"))
    }
}
