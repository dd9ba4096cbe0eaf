import Testing

@testable import BluebonnetTour

@Suite("The text of a body on a terminal")
struct BodyTextTests {
    @Test("control characters and turned text become marks; line ends and tabs stay")
    func controls() {
        let text = "a\u{1B}[31mb\tc\nd\u{7}\u{9B}\u{202E}e\u{0}"
        #expect(
            BodyText.shown(text, usesUTF8: true)
                == "a\u{FFFD}[31mb\tc\nd\u{FFFD}\u{FFFD}\u{FFFD}e\u{FFFD}")
        #expect(BodyText.shown(text, usesUTF8: false) == "a?[31mb\tc\nd???e?")
    }

    @Test("each kind of line end is one")
    func lineEnds() {
        #expect(BodyText.shown("a\r\nb\rc\n\rd", usesUTF8: true) == "a\nb\nc\n\nd")
    }

    @Test("what ASCII cannot show is a question mark, and otherwise stays as it is")
    func characters() {
        #expect(BodyText.shown("e\u{301} 日本 👩‍👩‍👧", usesUTF8: true) == "e\u{301} 日本 👩‍👩‍👧")
        #expect(BodyText.shown("é 日", usesUTF8: false) == "? ?")
    }
}
