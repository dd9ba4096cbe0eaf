import Testing

@testable import BluebonnetTour

@Suite("A text in lines")
struct WrappedTextTests {
    @Test("lines break at spaces, and a word that is too long has a line of its own")
    func lines() {
        func lines(_ text: String, _ columns: Int) -> [String] {
            WrappedText.lines(of: text, columns: columns)
        }
        #expect(lines("a bc def", 4) == ["a bc", "def"])
        #expect(lines("a bc def", 3) == ["a", "bc", "def"])
        #expect(lines("a abcdefgh b", 4) == ["a", "abcdefgh", "b"])
        #expect(lines("a bc def", .max) == ["a bc def"])
        #expect(lines("", 4) == [])
    }
}
