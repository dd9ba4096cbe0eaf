import Bluebonnet
import Testing

@testable import BluebonnetTour

@Suite("A body on the screen")
struct ScreenBodyTests {
    private let recorded = RecordedTerminal()

    /// Shows pieces of a body; returns what is written after each, and after the end.
    private func shown(
        _ pieces: [Data], type: String, length: Int? = nil, isComplete: Bool = true,
        usesColor: Bool = false
    ) throws -> [String] {
        var headers: HTTPHeaders = ["Content-Type": type]
        headers["Content-Length"] = length.map(String.init)
        let url = try #require(URL(string: "http://a.test/"))
        let head = ResponseHead(statusCode: 200, headers: headers, url: url)
        var body = ScreenBody(
            head, output: recorded.terminal(usesUTF8: true, usesColor: usesColor))
        var texts: [String] = []
        for piece in pieces {
            guard body.add(piece) else { break }
            texts.append(recorded.text)
        }
        body.finish(isComplete: isComplete)
        return texts + [recorded.text]
    }

    @Test("text is shown as it comes, and ends with a new line")
    func text() throws {
        let texts = try shown([Data("ab".utf8), Data("c\nd".utf8)], type: "text/event-stream")
        #expect(texts == ["ab", "abc\nd", "abc\nd\n"])
    }

    @Test("a character that comes in two pieces is whole")
    func split() throws {
        for cut in 1...3 {
            let bytes = Data("a👩b\n".utf8)
            let texts = try shown(
                [bytes.prefix(1 + cut), bytes.dropFirst(1 + cut)], type: "text/plain")
            #expect(texts[0].hasSuffix("a"))
            #expect(texts[1].hasSuffix("a👩b\n"))
        }
    }

    @Test("a character that never becomes whole is a mark")
    func broken() throws {
        #expect(
            try shown([Data("ab".utf8), Data([0xE2, 0x82])], type: "text/plain").last
                == "ab\u{FFFD}\n")
    }

    @Test("JSON is indented once it is there, whatever the pieces")
    func json() throws {
        let pieces = [#"{"a":"#, "[1]}"].map { Data($0.utf8) }
        let expected = ["", "", "{\n  \"a\": [\n    1\n  ]\n}\n"]
        #expect(try shown(pieces, type: "application/problem+json; charset=utf-8") == expected)
    }

    @Test("JSON has colors, and what is in it cannot make others")
    func colors() throws {
        let text = try #require(
            try shown([Data("[\"\u{9B}31m\"]".utf8)], type: "application/json", usesColor: true)
                .last)
        #expect(text == "[\n  \u{1B}[32m\"\u{FFFD}31m\"\u{1B}[0m\n]\n")
    }

    @Test("JSON that is broken or not complete is shown as it is")
    func brokenJSON() throws {
        #expect(try shown([Data("{\"a\"".utf8)], type: "application/json").last == "{\"a\"\n")
        let other = ScreenBodyTests()
        #expect(
            try other.shown([Data("[1]".utf8)], type: "application/json", isComplete: false).last
                == "[1]\n")
    }

    @Test("of a binary body its size is told, and what to do")
    func binary() throws {
        let bytes = Data([0x89, 0x50, 0x4E, 0x47, 0, 1])
        #expect(
            try shown([bytes, bytes], type: "text/plain")
                == ["", "", "binary body of 12 B; write it to a file with -o FILE\n"])
    }

    @Test("a large binary body is not read to its end")
    func largeBinary() throws {
        let piece = Data(repeating: 0, count: 1024 * 1024)
        let known = try shown(
            [piece, piece], type: "image/png", length: 100 * 1024 * 1024, isComplete: false)
        #expect(known == ["binary body of 100.0 MiB; write it to a file with -o FILE\n"])
        let other = ScreenBodyTests()
        let unknown = try other.shown(
            Array(repeating: piece, count: 10), type: "image/png", isComplete: false)
        #expect(unknown.count == 5)
        #expect(
            unknown.last == "binary body of more than 5.0 MiB; write it to a file with -o FILE\n")
    }

    @Test("text of another encoding is decoded by what its type says")
    func otherEncoding() throws {
        let bytes = [Data([0x63, 0x61]), Data([0x66, 0xE9])]
        #expect(
            try shown(bytes, type: "text/plain; charset=iso-8859-1") == ["", "", "café\n"])
    }

    @Test("an empty body shows nothing")
    func empty() throws {
        #expect(try shown([], type: "application/json") == [""])
    }
}
