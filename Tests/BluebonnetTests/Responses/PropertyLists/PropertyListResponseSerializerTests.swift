import Bluebonnet
import Foundation
import Testing

@Suite("PropertyListResponseSerializer")
struct PropertyListResponseSerializerTests {
    private let serializer = PropertyListResponseSerializer()

    private static let date = Date(timeIntervalSince1970: 1_577_934_245)
    private static let sample: [String: any Sendable] = [
        "string": "é&<😀", "ascii": "abc", "int": 42, "negative": -7, "min": Int.min,
        "max": UInt64.max, "real": 1.5, "whole": 1.0, "yes": true, "no": false, "date": date,
        "data": Data([0, 1, 255]),
        "array": [1, "a", [Int]()] as [any Sendable], "dict": ["k": ["v"]],
        "long": String(repeating: "x", count: 300),
    ]

    private static func encoded(_ format: PropertyListSerialization.PropertyListFormat) throws
        -> Data
    {
        try PropertyListSerialization.data(fromPropertyList: sample, format: format, options: 0)
    }

    private func value(_ xml: String) throws -> (any Sendable)? {
        try serializer.serialize(Data("<plist>\(xml)</plist>".utf8), head: nil)
    }

    @Test(
        "both of Foundation's formats become plain Swift values",
        arguments: [
            PropertyListSerialization.PropertyListFormat.xml, .binary,
        ])
    func formats(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let body = try Self.encoded(format)
        let object = try #require(try serializer.serialize(body, head: nil) as? [String: Any])
        #expect(Set(object.keys) == Set(Self.sample.keys))
        for key in ["string", "ascii", "long"] {
            #expect(object[key] as? String == Self.sample[key] as? String)
        }
        #expect(object["int"] as? Int == 42)
        #expect(object["negative"] as? Int == -7)
        #expect(object["min"] as? Int == .min)
        #expect(object["max"] as? UInt64 == .max)
        #expect(object["real"] as? Double == 1.5)
        #expect(object["whole"] as? Double == 1)
        #expect(object["whole"] as? Int == nil)
        #expect(object["yes"] as? Bool == true)
        #expect(object["yes"] as? Int == nil)
        #expect(object["no"] as? Bool == false)
        #expect(object["date"] as? Date == Self.date)
        #expect(object["data"] as? Data == Data([0, 1, 255]))
        let array = try #require(object["array"] as? [Any])
        #expect(array[0] as? Int == 1)
        #expect(array[1] as? String == "a")
        #expect((array[2] as? [Any])?.isEmpty == true)
        #expect(object["dict"] as? [String: [String]] == ["k": ["v"]])
    }

    @Test("the elements of XML are read as Apple documents and writes them")
    func elements() throws {
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><array><integer>0x1F</integer><integer>-0x10</integer>
            <data>
            AAEC
            </data><real>nan</real><string/><date>0001-01-01T00:00:00Z</date></array></plist>
            """
        let array = try #require(
            try serializer.serialize(Data(document.utf8), head: nil) as? [any Sendable]
        )
        #expect(array[0] as? Int == 31)
        #expect(array[1] as? Int == -16)
        #expect(array[2] as? Data == Data([0, 1, 2]))
        #expect((array[3] as? Double)?.isNaN == true)
        #expect(array[4] as? String == "")
        #expect(array[5] is Date)
    }

    @Test("an empty body is nil, as are 204, 205, 304 and HEAD")
    func empty() throws {
        #expect(try serializer.serialize(Data(), head: head()) == nil)
        for head in try bodilessHeads() {
            #expect(try serializer.serialize(Data("x".utf8), head: head) == nil)
        }
    }

    @Test(
        "malformed elements are an error with an explanation",
        arguments: [
            ("", "0 elements"), ("<true/><true/>", "2 elements"), ("<what/>", "<what>"),
            ("<integer>x</integer>", "\"x\" is not a valid <integer>"), ("<integer/>", "integer"),
            ("<integer>0x-1</integer>", "integer"), ("<integer>0x</integer>", "integer"),
            ("<integer>18446744073709551616</integer>", "integer"), ("<real>x</real>", "real"),
            ("<date>2020-13-01T00:00:00Z</date>", "date"), ("<data>!</data>", "data"),
            ("<dict><key>a</key></dict>", "no value"), ("<dict><true/><true/></dict>", "<key>"),
            ("<string><true/></string>", "instead of text"), ("<array>", "line 1"),
        ])
    func malformed(_ xml: String, _ expected: String) throws {
        let reason = try #require(refusal(serializer, "<plist>\(xml)</plist>"))
        #expect(reason.contains(expected), "\(reason)")
    }

    @Test("an error in XML names the key path")
    func keyPath() throws {
        let text =
            "<dict><key>a</key><array><true/><dict><key>b</key><real>x</real></dict></array></dict>"
        let reason = refusal(serializer, "<plist>\(text)</plist>")
        #expect(reason == "malformed property list: a[1].b: \"x\" is not a valid <real>")
        let list = "<plist><array><what/></array></plist>"
        #expect(refusal(serializer, list)?.contains(": [0]: <what>") == true)
    }

    @Test("a key with 128 consecutive combining marks is read, and one with more is an error")
    func marksInKeys() throws {
        func body(_ count: Int) -> String {
            "<plist><dict><key>a\(marks(count))</key><true/></dict></plist>"
        }
        #expect(refusal(serializer, body(128)) == nil)
        let expected =
            "malformed property list: a key with more than 128 combining marks in a row"
        let time = ContinuousClock().measure {
            #expect(refusal(serializer, body(129)) == expected)
            #expect(refusal(serializer, body(200_000)) == expected)
        }
        #expect(time < .seconds(10))
    }

    @Test("a text with very many marks is refused quickly as a date or a number")
    func marksInTexts() {
        let time = ContinuousClock().measure {
            for element in ["date", "integer", "real"] {
                let text = "<\(element)>-\(marks(200_000))</\(element)>"
                #expect(refusal(serializer, "<plist>\(text)</plist>") != nil)
            }
        }
        #expect(time < .seconds(10))
    }

    @Test("signs and digits of hexadecimal numbers are ASCII only")
    func hexadecimal() throws {
        #expect(try value("<integer>+0XfF</integer>") as? Int == 255)
        #expect(try value("<integer>0xFFFFFFFFFFFFFFFF</integer>") as? UInt64 == .max)
        #expect(try value("<integer>-0x8000000000000000</integer>") as? Int == .min)
        let wrong = ["+0x+1", "-0x-1", "--0x1", "0x１", "-\u{301}0x1", "0xg", "-0xFFFFFFFFFFFFFFFF"]
        for text in wrong {
            #expect(refusal(serializer, "<plist><integer>\(text)</integer></plist>") != nil)
        }
    }

    @Test("an error shows at most the beginning of a key, a name or a text")
    func excerpts() {
        let long = "k" + String(repeating: "x", count: 10_000)
        let start = "k" + String(repeating: "x", count: 39) + "…"
        func text(_ xml: String) -> String? { refusal(serializer, "<plist>\(xml)</plist>") }
        let prefix = "malformed property list:"
        #expect(text("<\(long)/>") == "\(prefix) <\(start)> is not a property list element")
        #expect(text("<real>\(long)</real>") == "\(prefix) \"\(start)\" is not a valid <real>")
        let key = "<key>\(long)</key>"
        #expect(text("<dict>\(key)</dict>") == "\(prefix) the key \"\(start)\" has no value")
        let nested = "<dict>\(key)<dict>\(key)<array><\(long)/></array></dict></dict>"
        let path = "\(start).\(start)[0]"
        #expect(text(nested) == "\(prefix) \(path): <\(start)> is not a property list element")
        #expect(
            text("<dict><\(long)/></dict>") == "\(prefix) expected <key> but found <\(start)>")
        #expect(
            text("<dict><key>\u{301}k</key><real>x</real></dict>")
                == "\(prefix) \u{301}k: \"x\" is not a valid <real>")
        // Counted in characters, the beginning would be the whole text.
        let marked = text("<real>a\(marks(10_000))</real>")
        #expect(
            marked?.utf8.count
                == "\(prefix) \"a\(marks(39))…\" is not a valid <real>".utf8.count)
    }

    @Test("the old text format, entities and oversized documents are refused")
    func refusals() {
        #expect(refusal(serializer, "{ a = b; }") != nil)
        let entity = "<!DOCTYPE plist [<!ENTITY x 'y'>]><plist><string>&x;</string></plist>"
        #expect(refusal(serializer, entity) != nil)
        let small = PropertyListResponseSerializer(maximumDocumentSize: 10)
        #expect(refusal(small, "<plist><true/></plist>") != nil)
    }

    @Test(
        "a document in either format that is cut at any byte is an error",
        arguments: [
            PropertyListSerialization.PropertyListFormat.xml, .binary,
        ])
    func truncated(_ format: PropertyListSerialization.PropertyListFormat) throws {
        var body = try Self.encoded(format)
        while body.last == UInt8(ascii: "\n") { body.removeLast() }
        for length in 1..<body.count {
            #expect(refusal(serializer, body.prefix(length)) != nil, "\(length)")
        }
    }

    @Test("damaged and random bodies never crash")
    func randomBytes() throws {
        let samples = try [Self.encoded(.xml), Self.encoded(.binary), Self.encoded(.binary)]
        for body in damagedBodies(of: samples, count: 6000, seed: 3) {
            _ = refusal(serializer, body)
        }
    }

    @Test(
        "dates of every year use the Gregorian calendar",
        arguments: [
            ("0001-01-01T00:00:00Z", -62_135_596_800), ("1000-01-01T12:34:56Z", -30_610_178_704),
            ("1582-10-10T00:00:00Z", -12_219_724_800), ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Double)])
    func dates(text: String, seconds: Double) throws {
        let body = Data("<plist><date>\(text)</date></plist>".utf8)
        let value = try PropertyListResponseSerializer().serialize(body, head: nil)
        #expect(value as? Date == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "an invalid date, or one in another form, is an error",
        arguments: [
            "2021-02-29T00:00:00Z", "2020-13-01T00:00:00Z", "2020-01-01T24:00:00Z",
            "2020-01-01T00:00:00", "2020-01-01T00:00:00+01:00", "2020-1-1T0:0:0Z", "2020-01-01",
            "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "99999999999999999999-01-01T00:00:00Z",
        ])
    func noDates(text: String) {
        let body = Data("<plist><date>\(text)</date></plist>".utf8)
        #expect(refusal(PropertyListResponseSerializer(), body) != nil)
    }
}
