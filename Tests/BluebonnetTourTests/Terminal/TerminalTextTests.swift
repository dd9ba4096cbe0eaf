import Testing

@testable import BluebonnetTour

@Suite("Text made fit for a terminal")
struct TerminalTextTests {
    @Test("control characters cannot move the cursor")
    func controls() {
        let text = TerminalText("a\u{1B}[2Jb\r\nc\u{9B}d\u{202E}e\u{2028}f\u{7F}", usesUTF8: true)
        #expect(text.text == "a?[2Jb??c?de?f?")
        #expect(text.columns == 15)
    }

    @Test("ASCII terminals get a question mark for what they cannot show")
    func ascii() {
        #expect(TerminalText("naïve 日本", usesUTF8: false).text == "na?ve ??")
    }

    @Test("wide characters count twice, and a cut never goes through one")
    func wide() {
        let text = TerminalText("日本語 ok", usesUTF8: true)
        #expect(text.columns == 9)
        #expect(text.truncated(to: 9, mark: "…").text == "日本語 ok")
        #expect(text.truncated(to: 6, mark: "…").text == "日本…")
        #expect(text.truncated(to: 5, mark: "…").columns == 5)
        #expect(text.truncated(to: 4, mark: "…").text == "日…")
        #expect(text.truncated(to: 1, mark: "…").text == "…")
        #expect(text.truncated(to: 0, mark: "…").text == "")
    }
}
