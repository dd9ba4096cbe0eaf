import Testing

@testable import BluebonnetTour

@Suite("JSON with indentation")
struct JSONLayoutTests {
    @Test("members and elements have lines of their own, and what is empty stays on its line")
    func layout() {
        let text = JSONLayout.text(#" {"b":[1,{"c":true}],"a":{ },"d":[ ] ,"e" : "x"} "#)
        #expect(
            text == """
                {
                  "b": [
                    1,
                    {
                      "c": true
                    }
                  ],
                  "a": {},
                  "d": [],
                  "e": "x"
                }
                """)
    }

    @Test(
        "a lone value and the spelling of numbers and strings stay as they are",
        arguments: [
            "1.50E+02", "null", #""{[,:]} \" \\""#, #""\u00e9""#, "\"e\u{301}\"", "\"\u{301}\"",
        ])
    func values(text: String) {
        #expect(JSONLayout.text(text) == text)
        #expect(JSONLayout.text("[\(text)]") == "[\n  \(text)\n]")
    }

    @Test("names, strings, marks and other values are told apart")
    func parts() {
        let text = JSONLayout.text(#"{"a":"b","c":[1]}"#) { text, part in "<\(part) \(text)>" }
        #expect(
            text.filter { !$0.isWhitespace }
                == #"<mark{><name"a"><mark:><string"b"><mark,><name"c"><mark:><mark[><literal1>"#
                + "<mark]><mark}>")
    }

    @Test(
        "what is not JSON does no harm",
        arguments: ["}]", "\"", "{\"a", "a\"b\"", ":", "[[", "\"\\"])
    func invalid(text: String) {
        #expect(!JSONLayout.text(text).isEmpty)
    }
}
