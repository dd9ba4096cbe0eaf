import Bluebonnet
import Foundation
import Testing

@Suite("Binary objects in PropertyListResponseSerializer")
struct PropertyListResponseSerializerBinaryTests {
    private func body(_ objects: [[UInt8]], root: UInt8 = 0) -> Data {
        var bytes = Array("bplist00".utf8)
        var table: [UInt8] = []
        for object in objects {
            table += bigEndian(bytes.count)
            bytes += object
        }
        let offset = bigEndian(bytes.count)
        bytes += table + [0, 0, 0, 0, 0, 0, 4, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
        bytes += [0, 0, 0, 0, 0, 0, 0, root, 0, 0, 0, 0] + offset
        return Data(bytes)
    }

    private func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
    }

    private func value(_ objects: [UInt8]...) throws -> (any Sendable)? {
        try PropertyListResponseSerializer().serialize(body(objects), head: nil)
    }

    private func reason(_ objects: [[UInt8]], root: UInt8 = 0) -> String? {
        refusal(PropertyListResponseSerializer(), body(objects, root: root))
    }

    @Test("numbers of every size are read")
    func numbers() throws {
        #expect(try value([0x10, 0xFF]) as? Int == 255)
        #expect(try value([0x11, 1, 0]) as? Int == 256)
        #expect(try value([0x12, 0xFF, 0, 0, 0]) as? Int == 0xFF00_0000)
        #expect(try value([0x13] + Array(repeating: 0xFF, count: 8)) as? Int == -1)
        let zeros = [UInt8](repeating: 0, count: 8)
        let ones = [UInt8](repeating: 0xFF, count: 8)
        #expect(try value([0x14] + zeros + ones) as? UInt64 == .max)
        #expect(try value([0x14] + ones + ones) as? Int == -1)
        #expect(reason([[0x14] + ones + zeros])?.contains("64 bits") == true)
        #expect(try value([0x22, 0x3F, 0xC0, 0, 0]) as? Double == 1.5)
    }

    @Test("a set, which crashes Foundation's reader, is an array")
    func sets() throws {
        #expect(try value([0xC2, 1, 2], [0x09], [0x51, 0x61]) as? [any Sendable] != nil)
        #expect(try (value([0xC1, 1], [0x09]) as? [Bool]) == [true])
    }

    @Test("the UID of an archive is a dictionary")
    func uid() throws {
        #expect(try value([0x80, 3]) as? [String: Int] == ["CF$UID": 3])
    }

    @Test("objects that contain themselves are an error")
    func cycles() {
        #expect(reason([[0xA1, 0]])?.contains("refers to itself") == true)
        #expect(reason([[0xA1, 1], [0xA1, 0]])?.contains("refers to itself") == true)
        #expect(reason([[0xA2, 0, 0]]) != nil)
        #expect(reason([[0xD1, 1, 0], [0x51, 0x61]])?.contains("refer") == true)
    }

    @Test("a small body that describes an enormous tree is an error")
    func bomb() {
        let lists = (1...60).map { (next: UInt8) -> [UInt8] in [0xA2, next, next] }
        #expect(reason(lists + [[0x09]])?.contains("too often") == true)
    }

    @Test("a body with millions of references to any one object is an error")
    func wideBomb() throws {
        for leaf: [UInt8] in [
            [0x80, 3], [0x09], [0xD0], [0xA0], [0x33] + Array(repeating: 0, count: 8),
        ] {
            let wide = { (object: UInt8) -> [UInt8] in
                [0xAF, 0x11, 0x03, 0xE8] + Array(repeating: object, count: 1_000)
            }
            let reason = self.reason([wide(1), wide(2), leaf])
            #expect(reason?.contains("too often") == true)
        }
    }

    @Test("a long key that many entries share is an error, and a short one is not")
    func sharedKeys() {
        func reason(_ keySize: Int, _ count: Int) -> String? {
            func counted(_ marker: UInt8, _ count: Int) -> [UInt8] {
                [marker | 0x0F, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
            let entries = Array(repeating: UInt8(1), count: count)
            let values = Array(repeating: UInt8(2), count: count)
            let key = Array(repeating: UInt8(ascii: "k"), count: keySize)
            let dictionary = counted(0xD0, count) + entries + values
            return self.reason([dictionary, counted(0x50, keySize) + key, [0x09]])
        }
        #expect(reason(30_000, 10_000)?.contains("too often") == true)
        #expect(reason(255, 20_000) == nil)
        #expect(reason(1_000, 200) == nil)
    }

    @Test("keys of any length are read if they are used once")
    func longKeys() {
        let keys = (1...100).map { number -> [UInt8] in
            let text = [UInt8](repeating: 97, count: 6_395) + Array("\(10_000 + number)".utf8)
            return [0x5F, 0x11, 0x19, 0x00] + text
        }
        let dictionary = [0xDF, 0x10, 100] + (1...100).map { UInt8($0) }
        #expect(reason([dictionary + [UInt8](repeating: 101, count: 100)] + keys + [[0x09]]) == nil)
    }

    @Test("a key with more than 128 consecutive combining marks is an error")
    func marksInKeys() {
        func reason(_ count: Int) -> String? {
            let key = ("a" + marks(count)).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            let string: [UInt8] = [0x6F, 0x11, 0, UInt8(count + 1)] + key
            return self.reason([[0xD1, 1, 2], string, [0x09]])
        }
        #expect(reason(128) == nil)
        #expect(reason(129)?.contains("more than 128 combining marks in a row") == true)
    }

    @Test("a body above the maximum size is refused unread")
    func size() throws {
        let body = body([[0x09]])
        let serializer = PropertyListResponseSerializer(maximumDocumentSize: body.count)
        #expect(try serializer.serialize(body, head: nil) as? Bool == true)
        let smaller = PropertyListResponseSerializer(maximumDocumentSize: body.count - 1)
        #expect(refusal(smaller, body)?.contains("more than the limit of") == true)
    }

    @Test("an array that is referenced several times is read each time")
    func sharing() throws {
        let value = try self.value([0xA2, 1, 1], [0xA1, 2], [0x09]) as? [[Bool]]
        #expect(value == [[true], [true]])
    }

    @Test(
        "invalid references, counts, kinds and roots are errors",
        arguments: [
            [[0xA1, 9]], [[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
            [[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], [[0x5F, 0x09]],
            [[0xAF, 0x1F]], [[0x4F]], [[0x4E]], [[0x51, 0xE9]], [[0x61, 0xD8, 0]], [[0x00]],
            [[0x0F]],
            [[0x0C]], [[0x19]], [[0x70]], [[0xD1, 1, 1], [0x09]], [[0xF0]], [],
            [[0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]],
        ] as [[[UInt8]]])
    func malformed(_ objects: [[UInt8]]) throws {
        let reason = try #require(self.reason(objects))
        #expect(reason.contains("at byte"), "\(reason)")
    }

    @Test("a trailer with any changed byte never crashes")
    func trailers() {
        let whole = body([[0xA2, 1, 2], [0x09], [0x51, 0x61]])
        for place in 0..<whole.count {
            for byte: UInt8 in [0, 1, 7, 8, 9, 0x0F, 0x7F, 0x80, 0xFF] {
                var damaged = whole
                damaged[place] = byte
                _ = refusal(PropertyListResponseSerializer(), damaged)
            }
        }
    }
}
