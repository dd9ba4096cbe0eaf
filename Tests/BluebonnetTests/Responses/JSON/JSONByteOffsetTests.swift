import Foundation
import Testing

import Bluebonnet

@Suite("Byte offsets of JSON errors")
struct JSONByteOffsetTests {
    private struct Wide: Sendable {
        let encoding: String.Encoding
        let mark: [UInt8]

        /// Returns the length of a text, counted independently of the library.
        func length(_ text: Substring) -> Int {
            let isUTF16 = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
            return mark.count
                + text.unicodeScalars.reduce(0) { $0 + (isUTF16 && $1.value < 0x10000 ? 2 : 4) }
        }
    }

    private static let encodings = [
        Wide(encoding: .utf16LittleEndian, mark: []),
        Wide(encoding: .utf16BigEndian, mark: []),
        Wide(encoding: .utf16LittleEndian, mark: [0xFF, 0xFE]),
        Wide(encoding: .utf16BigEndian, mark: [0xFE, 0xFF]),
        Wide(encoding: .utf32LittleEndian, mark: []),
        Wide(encoding: .utf32BigEndian, mark: []),
        Wide(encoding: .utf32LittleEndian, mark: [0xFF, 0xFE, 0, 0]),
        Wide(encoding: .utf32BigEndian, mark: [0, 0, 0xFE, 0xFF]),
    ]

    private func offset(_ body: Data) -> Int? {
        do {
            _ = try JSONResponseSerializer().serialize(body, head: nil)
            Issue.record("it was read")
            return nil
        } catch let error as JSONResponseSerializer.ParseError {
            return error.byteOffset
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("it counts received bytes of UTF-16 and UTF-32 at any place")
    func syntax() throws {
        let text = #"{"aé€😀":["😀\u00e9",1,true,{"€":null}],"b":"\ud83d\ude00","z":-2.5e3}"#
        // The text has no such character, and it is invalid at every place.
        for place in text.indices.dropFirst() {
            let wrong = text[..<place] + "\u{1}" + text[place...]
            let narrow = try #require(offset(Data(wrong.utf8)))
            let start = wrong.utf8.index(wrong.startIndex, offsetBy: narrow)
            for wide in Self.encodings {
                let body = try #require(String(wrong).data(using: wide.encoding))
                let expected = wide.length(wrong[..<start])
                #expect(offset(Data(wide.mark) + body) == expected, "\(wrong) \(wide)")
            }
        }
    }

    @Test("for a text in UTF-16 or UTF-32 that is cut between characters, it is the end")
    func cut() throws {
        let text = "[\"aé€😀\",12"
        for wide in Self.encodings {
            for place in text.unicodeScalars.indices.dropFirst(2) {
                let part = text[..<place]
                let body = Data(wide.mark) + (try #require(String(part).data(using: wide.encoding)))
                #expect(offset(body) == wide.length(part), "\(part) \(wide)")
            }
        }
    }

    @Test("it is that of the first invalid code unit, or of half a unit at the end")
    func invalid() throws {
        let text = "[\"aé😀"
        for wide in Self.encodings {
            let start = Data(wide.mark) + (try #require(text.data(using: wide.encoding)))
            let isBig = wide.encoding == .utf16BigEndian || wide.encoding == .utf32BigEndian
            let isUTF16 = wide.length("a") - wide.mark.count == 2
            let surrogate: [UInt8] = isUTF16 ? [0xDC, 0x00] : [0, 0, 0xDC, 0]
            let end = try #require("\"]".data(using: wide.encoding))
            let lone = start + Data(isBig ? surrogate : surrogate.reversed()) + end
            #expect(offset(lone) == wide.length(text[...]), "\(wide)")
            for count in 1..<(isUTF16 ? 2 : 4) {
                let half = start + end.prefix(count)
                #expect(offset(half) == wide.length(text[...]), "\(wide) \(count)")
            }
        }
    }
}
