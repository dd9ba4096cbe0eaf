import Foundation
import Testing

@testable import Bluebonnet

@Suite("Paths with names in braces")
struct PathTemplateTests {
    typealias Parameters = [String: any CustomStringConvertible & Sendable]

    private func fill(
        _ path: String, _ parameters: Parameters
    ) throws(RequestSerializationError) -> String {
        try PathTemplate(text: path).filled(with: parameters)
    }

    @Test(
        "a value stays within its segment, whatever it contains (RFC 6570 section 3.2.2)",
        arguments: [
            ("7", "7"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("../x", "..%2Fx"),
            ("?q=1#f", "%3Fq%3D1%23f"),
            ("%2F", "%252F"), ("%zz", "%25zz"), ("{id}", "%7Bid%7D"), ("ü", "%C3%BC"),
            ("a\u{301}", "a%CC%81"),
            ("/\u{301}", "%2F%CC%81"), ("a;b=c,d:e@f", "a%3Bb%3Dc%2Cd%3Ae%40f"), ("-._~", "-._~"),
            ("\r\n", "%0D%0A"), ("...", "..."), ("..a", "..a"), ("\u{0}", "%00"),
        ])
    func escaping(value: String, text: String) throws {
        #expect(try fill("/users/{id}", ["id": value]) == "/users/" + text)
        #expect(try fill("/users/{id}.json", ["id": value]) == "/users/" + text + ".json")
    }

    @Test("a path can have any names, also repeated, with values of several types")
    func names() throws {
        #expect(
            try fill(
                "/{a}/b/{c d}/{a}-{n}?at={n}", ["a": "x", "c d": Substring("y"), "n": 1.5])
                == "/x/b/y/x-1.5?at=1.5")
        #expect(try fill("/users", [:]) == "/users")
        #expect(try fill("", [:]).isEmpty)
        // The brace and the combining mark form one character.
        #expect(try fill("/{a}\u{301}", ["a": 1]) == "/1\u{301}")
        #expect(try fill("/{\u{301}}", ["\u{301}": 1]) == "/1")
    }

    @Test(
        "a value that leads elsewhere, or a mismatch, is an error that names it",
        arguments: [
            ("/{id}", [:], #"has no value for "id""#),
            ("/{}", [:], #"has no value for """#),
            ("/users", ["id": 1], #"has no place for "id""#),
            ("/{id}", ["id": ""], #"the path parameter "id" is "", which cannot"#),
            ("/{id}", ["id": "."], #"the path parameter "id" is ".", which cannot"#),
            ("/{id}", ["id": ".."], #"the path parameter "id" is "..", which cannot"#),
            ("/{id", ["id": 1], "has an unmatched brace"),
            ("/id}", ["id": 1], "has an unmatched brace"),
            ("/}{", [:], "has an unmatched brace"),
            ("/{id}?key=secret", [:], #"the path "/{id}" has"#),
        ] as [(String, Parameters, String)])
    func errors(path: String, parameters: Parameters, reason: String) throws {
        let error = #expect(throws: RequestSerializationError.self) {
            try fill(path, parameters)
        }
        #expect(try #require(error).reason.contains(reason), "\(error as Any)")
    }
}
