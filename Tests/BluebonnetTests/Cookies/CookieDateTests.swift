import Foundation
import Testing

@testable import Bluebonnet

@Suite("CookieDate")
struct CookieDateTests {
    static func seconds(_ text: String) -> Double? {
        CookieDate(Array(text.utf8))?.date?.timeIntervalSince1970
    }

    @Test(
        "every date format that servers use is read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "6 nov 1994 8:49:37", "08:49:37 6 November 1994",
            "1994 Nov 6 08:49:37", "Nov-1994-06 08:49:37 EST+0500", "6th NOV 94th 08:49:37pm",
            "\t06;Nov,1994/08:49:37\"", "08:49:37 06 Nov 1994 08:50:00 07 Dec 1995",
            "foo 06 bar Novemberish 1994x 08:49:37x", "6 Nov 0094 08:49:37",
            "99999 6 Nov 94 8:49:37",
        ]
    )
    func forms(text: String) {
        #expect(Self.seconds(text) == 784_111_777)
    }

    @Test(
        "an incomplete or invalid date is refused",
        arguments: [
            "", "now", "06 Nov 1994", "08:49:37 06 1994", "08:49:37 Nov 1994", "08:49:37 06 Nov",
            "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:00", "06 Nov 1994 08:49:60",
            "31 Nov 1994 08:49:37", "29 Feb 1994 08:49:37", "29 Feb 1900 08:49:37",
            "00 Nov 1994 08:49:37", "32 Jan 1994 08:49:37", "06 Nov 1600 08:49:37",
            "06 Nov 19945 08:49:37", "06 Nov 199 08:49:37", "06 Nov 1994 008:49:37",
            "06 Nov 1994 08:49", "06 Nov 1994 08:49:377", "06 Nov 1994 :49:37",
            "06 No 1994 08:49:37", "-784111777", "06 Ñov 1994 08:49:37",
            "06 Nov 99999999999999999999 08:49:37",
        ]
    )
    func refusals(text: String) {
        #expect(Self.seconds(text) == nil)
    }

    @Test(
        "two-digit years are from 1970 to 2069",
        arguments: [("70", 0.0), ("69", 3_124_224_000), ("00", 946_684_800), ("99", 915_148_800)]
    )
    func centuries(year: String, expected: Double) {
        #expect(Self.seconds("1 Jan \(year) 00:00:00") == expected)
    }

    @Test("leap days and the ends of the range are correct")
    func calendar() {
        #expect(Self.seconds("29 Feb 2000 00:00:00") == 951_782_400)
        #expect(Self.seconds("1 Mar 2100 00:00:00") == 4_107_542_400)
        #expect(Self.seconds("1 Jan 1601 00:00:00") == -11_644_473_600)
        #expect(Self.seconds("31 Dec 9999 23:59:59") == 253_402_300_799)
    }

    @Test("every seventeenth day of eight centuries equals Foundation's")
    func centuriesOfDays() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let months = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        var seconds = -11_644_473_600.0
        while seconds < 13_601_088_000 {
            let date = Date(timeIntervalSince1970: seconds)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let month = months[try #require(parts.month) - 1]
            let text = "\(try #require(parts.day)) \(month) \(try #require(parts.year)) 0:0:0"
            if Self.seconds(text) != seconds { Issue.record("\(text)") }
            seconds += 86_400 * 17
        }
    }
}
