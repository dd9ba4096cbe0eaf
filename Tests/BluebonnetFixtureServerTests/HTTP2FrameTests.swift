@testable import BluebonnetFixtureServer
import Testing

@Suite("HTTP/2 frames")
struct HTTP2FrameTests {
    @Test("numbers are written as in the examples of RFC 7541, appendix C.1")
    func numbers() {
        #expect(HPACKField.integer(10, prefix: 5, pattern: 0) == [0x0A])
        #expect(HPACKField.integer(1337, prefix: 5, pattern: 0) == [0x1F, 0x9A, 0x0A])
        #expect(HPACKField.integer(42, prefix: 8, pattern: 0) == [0x2A])
    }

    @Test("fields are written as in the examples of RFC 7541, appendix C.2")
    func fields() {
        let remembered = Array("custom-key".utf8), value = Array("custom-header".utf8)
        #expect(
            HPACKField.remembered("custom-key", "custom-header").bytes
                == [0x40, 0x0A] + remembered + [0x0D] + value)
        #expect(
            HPACKField.literal("custom-key", "custom-header").bytes
                == [0x00, 0x0A] + remembered + [0x0D] + value)
        #expect(HPACKField.indexed(2).bytes == [0x82])
        #expect(HPACKField.tableSize(0).bytes == [0x20])
    }

    @Test("a frame is a length, type, flags, stream and payload, and can declare a wrong length")
    func frames() {
        #expect(
            HTTP2Frame.data("abc", stream: 3, endsStream: true).bytes
                == [0, 0, 3, 0, 1, 0, 0, 0, 3] + Array("abc".utf8))
        #expect(
            HTTP2Frame.goAway(.enhanceYourCalm, last: 5).bytes
                == [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 11])
        #expect(
            HTTP2Frame.settings([.maximumStreams(1)]).bytes
                == [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1])
        #expect(
            HTTP2Frame(.ping, payload: [1], declaredLength: 300).bytes
                == [0, 1, 44, 6, 0, 0, 0, 0, 0, 1])
    }
}
