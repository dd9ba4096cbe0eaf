import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("PropertyListRequestSerializer")
struct PropertyListRequestSerializerTests {
    @Test("parameters become an XML property list, with the type application/x-plist")
    func xml() throws {
        let result = try PropertyListRequestSerializer().serialize(
            request("POST"), parameters: ["b": [1, -2], "a": "<&", "c": true, "d": 1.5])
        #expect(result.value(forHTTPHeaderField: "Content-Type") == "application/x-plist")
        #expect(
            result.httpBody.map { String(decoding: $0, as: UTF8.self) } == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
                "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>a</key>
                \t<string>&lt;&amp;</string>
                \t<key>b</key>
                \t<array>
                \t\t<integer>1</integer>
                \t\t<integer>-2</integer>
                \t</array>
                \t<key>c</key>
                \t<true/>
                \t<key>d</key>
                \t<real>1.5</real>
                </dict>
                </plist>

                """)
    }

    @Test("nil parameters are no body, and methods without a body use the query")
    func withoutBody() throws {
        let serializer = PropertyListRequestSerializer()
        let result = try serializer.serialize(request("POST"), parameters: nil)
        #expect(result.httpBody == nil)
        #expect(result.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(try url(["a": 1], by: serializer) == "http://h/p?a=1")
    }

    @Test("Foundation reads every type back from XML and binary")
    func readBack() throws {
        let date = Date(timeIntervalSince1970: 1_772_000_000)
        for format in [PropertyListRequestSerializer.Format.xml, .binary] {
            let result = try PropertyListRequestSerializer(format: format).serialize(
                request("POST"),
                parameters: [
                    "date": date, "data": Data([1, 2]), "max": UInt64.max, "min": Int64.min,
                    "float": Float(0.5), "decimal": Decimal(string: "0.3"), "no": false,
                    "url": URL(string: "http://x"), "nested": ["a": ["b": 1]],
                    "one": NSNumber(value: 1), "yes": NSNumber(value: true),
                ])
            let bytes = try #require(result.httpBody)
            #expect(bytes.starts(with: Array((format == .xml ? "<?xml" : "bplist00").utf8)))
            let list = try #require(
                try PropertyListSerialization.propertyList(from: bytes, format: nil)
                    as? [String: Any])
            #expect(list["date"] as? Date == date)
            #expect(list["data"] as? Data == Data([1, 2]))
            #expect((list["max"] as? NSNumber)?.uint64Value == .max)
            #expect((list["min"] as? NSNumber)?.int64Value == .min)
            #expect(list["float"] as? Double == 0.5)
            #expect(list["decimal"] as? Double == 0.3)
            #expect(list["no"] as? Bool == false)
            #expect(list["url"] as? String == "http://x")
            #expect((list["nested"] as? [String: [String: Int]]) == ["a": ["b": 1]])
            #expect(list["one"] as? Int == 1)
            #expect(list["yes"] as? Bool == true)
        }
    }

    @Test("a value that a property list cannot have is an error with its key path")
    func errors() throws {
        let serializer = PropertyListRequestSerializer()
        let parameters: [(Parameters, String)] = [
            (["a": ["b": [1, nil]]], "a.b[1]"), (["a": NSNull()], "a"), (["a": [Set([1])]], "a[0]"),
            (["a": UInt128.max], "a"), (["a": Int128.min], "a"), (["a": ["x\u{0}"]], "a[0]"),
            (["b": 1, "a\u{1}": 1], "a\u{1}"), (["a": "\u{FFFE}"], "a"),
        ]
        for (parameters, keyPath) in parameters {
            #expect(try failure(parameters, by: serializer)?.keyPath == keyPath)
        }
    }

    @Test("binary property lists can have control characters")
    func controlCharacters() throws {
        let result = try PropertyListRequestSerializer(format: .binary)
            .serialize(request("POST"), parameters: ["a": "\u{0}\u{1}"])
        let bytes = try #require(result.httpBody)
        let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
        #expect(list as? [String: String] == ["a": "\u{0}\u{1}"])
    }
}
