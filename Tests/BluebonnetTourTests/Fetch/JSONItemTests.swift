import Foundation
import Testing

@testable import BluebonnetTour

@Suite("JSON that arguments describe")
struct JSONItemTests {
    private func document(_ arguments: String...) async throws -> String {
        let items = arguments.map { JSONItem($0) }
        try JSONItem.check(items)
        return String(decoding: try await JSONItem.document(of: items), as: UTF8.self)
    }

    @Test("a document is sent as it is written")
    func documents() async throws {
        for text in [#"{ "b":1.50, "a":[] }"#, "[1 ,2]", "5", "null", #""a=b""#] {
            #expect(try await document(text) == text)
        }
    }

    @Test("members keep their order, with text for = and JSON for :=")
    func members() async throws {
        let text = try await document(
            "name=flax", "petals:=5", "empty=", "b=c=d", "n:=[1, {}]", #"quote="\n"#,
            "url=http://a/")
        #expect(
            text
                == #"{"name":"flax","petals":5,"empty":"","b":"c=d","n":[1, {}],"#
                + #""quote":"\"\\n","url":"http://a/"}"#)
    }

    @Test("names are escaped, whatever is in them")
    func names() async throws {
        #expect(try await document(#"a "b"=c"#) == #"{"a \"b\"":"c"}"#)
    }

    @Test(
        "neither a document nor a member is refused",
        arguments: ["", "name", "=a", ":=1", "a:=", "a:=b", #"{"a":1"#, "{a=1}", #""a"=b"#])
    func invalid(argument: String) {
        let text = "--json number 2 is neither JSON nor NAME=TEXT nor NAME:=JSON"
        #expect(throws: UsageError(text)) {
            try JSONItem.check([JSONItem("a=b"), JSONItem(argument)])
        }
    }
}
