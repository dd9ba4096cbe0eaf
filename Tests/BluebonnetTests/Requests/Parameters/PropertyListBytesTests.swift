import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Property list bytes")
struct PropertyListBytesTests {
    @Test("every type is exact in XML")
    func xml() throws {
        let parameters: Parameters = [
            "a": [Int](), "b": [String: Int](), "c": Data([0xFB, 0xFF]), "d": Data(),
            "e": Date(timeIntervalSince1970: 1.9), "f": 0.1, "g": 2.0, "h": UInt64.max,
            "i": false, "j": "<a & \"b\">\r\n\té", "k<": ["": ""], "l": Decimal(string: "0.30"),
            "m": Int64.min, "n": Float(0.5),
        ]
        #expect(
            try body(parameters, by: PropertyListRequestSerializer()) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
                "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>a</key>
                \t<array/>
                \t<key>b</key>
                \t<dict/>
                \t<key>c</key>
                \t<data>+/8=</data>
                \t<key>d</key>
                \t<data></data>
                \t<key>e</key>
                \t<date>1970-01-01T00:00:01Z</date>
                \t<key>f</key>
                \t<real>0.1</real>
                \t<key>g</key>
                \t<real>2</real>
                \t<key>h</key>
                \t<integer>18446744073709551615</integer>
                \t<key>i</key>
                \t<false/>
                \t<key>j</key>
                \t<string>&lt;a &amp; "b"&gt;&#13;
                \té</string>
                \t<key>k&lt;</key>
                \t<dict>
                \t\t<key></key>
                \t\t<string></string>
                \t</dict>
                \t<key>l</key>
                \t<real>0.3</real>
                \t<key>m</key>
                \t<integer>-9223372036854775808</integer>
                \t<key>n</key>
                \t<real>0.5</real>
                </dict>
                </plist>

                """)
    }

    /// Returns the bytes of one value for the key `k`, without signature and key.
    func bytes(_ value: any Sendable) throws -> [UInt8]? {
        let serializer = PropertyListRequestSerializer(format: .binary)
        let data = try serializer.serialize(request("POST"), parameters: ["k": value]).httpBody
        let bytes = try #require(data.map(Array.init))
        let start: [UInt8] = Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, UInt8(ascii: "k")]
        #expect(bytes.starts(with: start))
        let tableOffset = try #require(bytes.suffix(8).last.map(Int.init))
        return Array(bytes[start.count..<tableOffset])
    }

    @Test("every type is exact in binary")
    func binary() throws {
        let values: [(any Sendable, [UInt8])] = [
            (true, [0x09]), (false, [0x08]), (0, [0x10, 0]), (255, [0x10, 255]),
            (256, [0x11, 1, 0]), (65_536, [0x12, 0, 1, 0, 0]),
            (UInt32.max, [0x12, 255, 255, 255, 255]),
            (1 << 32, [0x13, 0, 0, 0, 1, 0, 0, 0, 0]),
            (-1, [0x13] + Array(repeating: 255, count: 8)),
            (
                UInt64.max,
                [0x14] + Array(repeating: 0, count: 8) + Array(repeating: 255, count: 8)
            ),
            (1.5, [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]),
            (Float(1.5), [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]),
            (Decimal(1.5), [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]),
            (Date(timeIntervalSinceReferenceDate: 1.5), [0x33, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]),
            (Data([1, 2]), [0x42, 1, 2]), ("ab", [0x52, 0x61, 0x62]), ("", [0x50]),
            ("é", [0x61, 0, 0xE9]), ("😀", [0x62, 0xD8, 0x3D, 0xDE, 0]),
            ("abcdefghijklmno", [0x5F, 0x10, 15] + Array("abcdefghijklmno".utf8)),
            ([1, 1], [0xA2, 3, 4, 0x10, 1, 0x10, 1]), ([Int](), [0xA0]),
            (["k": "k"], [0xD1, 1, 1]), ([String: Int](), [0xD0]),
        ]
        for (value, expected) in values { #expect(try bytes(value) == expected, "\(value)") }
    }

    @Test("a whole binary file is exact, with its table and trailer")
    func wholeFile() throws {
        let serializer = PropertyListRequestSerializer(format: .binary)
        let request = try serializer.serialize(
            request("POST"), parameters: ["b": ["x"], "a": 1] as Parameters)
        #expect(
            request.httpBody.map(Array.init) == Array("bplist00".utf8) + [
                0xD2, 1, 2, 3, 4, 0x51, 0x61, 0x51, 0x62, 0x10, 1, 0xA1, 5, 0x51, 0x78,
                8, 13, 15, 17, 19, 21,
                0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 23,
            ])
    }

    @Test("more than 256 objects, or 64 KB, use wider numbers that Foundation reads")
    func wide() throws {
        let serializer = PropertyListRequestSerializer(format: .binary)
        let texts = (0..<300).map { String(repeating: "x", count: 300) + "\($0)" }
        let composed = ["e\u{301}", "\u{E9}"]
        let request = try serializer.serialize(
            request("POST"), parameters: ["texts": texts, "composed": composed])
        let list = try PropertyListSerialization.propertyList(
            from: try #require(request.httpBody), format: nil)
        let read = try #require(list as? [String: [String]])
        #expect(read["texts"] == texts)
        #expect(read["composed"]?.map { Array($0.utf16) } == composed.map { Array($0.utf16) })
    }
}
