import Bluebonnet
import Foundation
import Testing

@Suite("Acceptable content types with wildcards and suffixes")
struct MediaTypePatternTests {
    private func accepts(_ pattern: String, _ type: String?) throws -> Bool {
        let serializer = HTTPResponseSerializer(acceptableContentTypes: [pattern])
        return verdict(serializer, try head(type: type)) == nil
    }

    @Test(
        "a wildcard matches any type or subtype, and a suffix every type with it",
        arguments: [
            ("application/*", "application/json", true), ("application/*", "text/json", false),
            ("APPLICATION/*", "Application/Pdf; a=b", true),
            ("application/*", "application", false),
            ("*/json", "text/json", true), ("*/json", "text/json5", false),
            ("*/*", "image/png", true), ("*/*", "application/vnd.api+json", true),
            ("+json", "application/problem+json", true), ("+JSON", "application/vnd.a+Json", true),
            ("+json", "application/json", false), ("+json", "application/+json", false),
            ("+json", "application/x+json5", false), ("+json", "application/xjson", false),
            ("+xml", "image/svg+xml;charset=utf-8", true), ("+xml", "application/x+json", false),
            ("application/*+json", "application/geo+json", true),
            ("application/*+json", "model/gltf+json", false),
            ("text/html; charset=utf-8", "text/html", true), (" text/html ", "text/html", true),
            ("text/html", "text/htm", false), ("text", "text/html", false),
            ("", "text/html", false),
            ("*", "text/html", false), ("application/json", "application/json+xml", false),
        ])
    func patterns(_ pattern: String, _ type: String, _ expected: Bool) throws {
        #expect(try accepts(pattern, type) == expected)
    }

    @Test("a body without a type is accepted only by */*")
    func missingType() throws {
        #expect(try accepts("*/*", nil))
        for pattern in ["application/*", "*/json", "+json", ""] {
            #expect(try !accepts(pattern, nil))
        }
    }

    @Test("a pattern can be added to any serializer's types in place")
    func insertion() throws {
        var serializer: any ResponseSerializer = JSONResponseSerializer()
        let problem = try head(type: "application/problem+json")
        #expect(verdict(serializer, problem) != nil)
        serializer.acceptableContentTypes?.insert("+json")
        #expect(verdict(serializer, problem) == nil)
        #expect(verdict(serializer, try head(type: "text/html")) != nil)
    }
}
