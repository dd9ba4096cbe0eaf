import Testing

@testable import Bluebonnet

@Suite("The Content-Range field")
struct ContentRangeTests {
    @Test(
        "the three forms are read",
        arguments: [
            ("bytes 5-9/10", 5...9, 10), ("bytes 5-9/*", 5...9, nil), ("bytes */10", nil, 10),
            ("Bytes 0-0/1", 0...0, 1), ("bytes 007-9/0010", 7...9, 10), ("bytes */0", nil, 0),
            (
                "bytes 0-9223372036854775806/9223372036854775807", 0...(Int64.max - 1),
                Int64.max
            ),
        ] as [(String, ClosedRange<Int64>?, Int64?)]
    )
    func valid(text: String, bounds: ClosedRange<Int64>?, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.bounds == bounds)
        #expect(range.total == total)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "bytes", "bytes ", "bytes 5-9", "bytes 5-9/", "bytes -9/10", "bytes 5-/10",
            "bytes 9-5/10", "bytes 5-10/10", "bytes */*", "bytes 5-9/10/11", "bytes  5-9/10",
            "bytes 5-9 /10", "bytes +5-9/10", "bytes 5-+9/10", "bytes 5-9/+10", "bytes 0x5-9/10",
            "bytes -5--3/10", "items 5-9/10", "5-9/10", "bytes=5-9/10", "bytes 5-9/10, 0-1/10",
            "bytes 5-9/99999999999999999999", "bytes 99999999999999999999-9/10", "bytes ٥-٩/١٠",
            "bytes 5-9/10 ", " bytes 5-9/10",
        ]
    )
    func invalid(text: String) {
        #expect(ContentRange(text) == nil)
    }
}

@Suite("Dates in HTTP")
struct HTTPDateTests {
    @Test(
        "the preferred form is read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Mon, 01 Jan 2100 00:00:00 GMT", 4_102_444_800),
            ("Sat, 01 Mar 1900 00:00:00 GMT", -2_203_891_200),
        ] as [(String, Int64)]
    )
    func valid(text: String, seconds: Int64) {
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test(
        "other forms are refused",
        arguments: [
            "", "0", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
        ]
    )
    func invalid(text: String) {
        #expect(HTTPDate(text) == nil)
    }
}
