import Foundation
import Testing

@testable import Bluebonnet

@Suite("RequestSerializer timestamps")
struct RequestSerializerTimestampTests {
    @Test("the first and last second, leap days and years before 1970 are correct")
    func knownDates() {
        let known: [(Double, String)] = [
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799.9, "9999-12-31T23:59:59Z"),
            (0, "1970-01-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (-2_203_891_200, "1900-03-01T00:00:00Z"),
        ]
        for (seconds, text) in known {
            #expect(TimestampText.text(of: Date(timeIntervalSince1970: seconds)) == text)
        }
    }

    @Test("the output equals Foundation's for dates in 400 years")
    func likeFoundation() {
        for step in 0..<2_000 {
            let date = Date(timeIntervalSince1970: -6_000_000_000 + Double(step) * 6_311_433.7)
            #expect(TimestampText.text(of: date) == date.ISO8601Format())
        }
    }
}
