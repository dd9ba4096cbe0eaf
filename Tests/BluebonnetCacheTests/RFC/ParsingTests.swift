import Testing

@Suite("Dates in every form", .timeLimit(.minutes(1)))
struct ParsingTests {
    @Test(arguments: CacheCase.all(Self.valid, Self.invalid, Self.years))
    func holds(_ item: CacheCase) async { await item.run() }

    /// Returns a case of an Expires that is in the future if it is a date.
    private static func expires(_ text: String, isDate: Bool, _ section: String) -> CacheCase {
        CacheCase(
            "'\(text)' is \(isDate ? "a" : "no") date (\(section))",
            .get(.sent, ["Expires": text]), .get(isDate ? .hit : .sent))
    }

    // The clock is at 14 November 2023, 22:13:20.
    private static let valid: [CacheCase] = [
        "Sun, 06 Nov 2033 08:49:37 GMT", "sun, 06 nov 2033 08:49:37 gmt",
        "SUN, 06 NOV 2033 08:49:37 GMT", "Sunday, 06-Nov-33 08:49:37 GMT",
        "sunday, 06-nov-33 08:49:37 gmt", "Sun Nov  6 08:49:37 2033", "Sun Nov 16 08:49:37 2033",
        "Tue, 29 Feb 2028 00:00:00 GMT", "Tue, 14 Nov 2023 22:13:21 GMT",
        "Sat, 31 Dec 2033 23:59:60 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        " Sun, 06 Nov 2033 08:49:37 GMT ",
    ].map { expires($0, isDate: true, "9110 5.6.7") }

    private static let invalid: [CacheCase] = [
        "", "0", "-1", "1", "1700000100", "2033-11-06T08:49:37Z", "2033-11-06", "never", "GMT",
        "Sun, 06 Nov 2033 08:49:37", "Sun, 06 Nov 2033 08:49:37 UTC",
        "Sun, 06 Nov 2033 08:49:37 UT", "Sun, 06 Nov 2033 08:49:37 Z",
        "Sun, 06 Nov 2033 08:49:37 +0000", "Sun, 06 Nov 2033 08:49:37 CET",
        "Sun, 06 Nov 2033 08:49:37 EST", "Sun, 06 Nov 2033 08:49:37 GMT+1",
        "Sun, 06 Nov 2033 08:49:37 GMT 1", "Sun, 06 Nov 33 08:49:37 GMT",
        "Sun, 06-Nov-2033 08:49:37 GMT", "Sun, 06 Nov 2033 8:49:37 GMT",
        "Sun, 06 Nov 2033 08:49 GMT", "Sun, 06 Nov 2033 08.49.37 GMT",
        "Sun, 06 Nov 2033 24:00:00 GMT", "Sun, 06 Nov 2033 08:60:00 GMT",
        "Sun, 06 Nov 2033 08:49:61 GMT", "Sun, 32 Dec 2033 08:49:37 GMT",
        "Sun, 31 Nov 2033 08:49:37 GMT", "Sun, 00 Nov 2033 08:49:37 GMT",
        "Mon, 29 Feb 2033 08:49:37 GMT", "Sun, 06 Nox 2033 08:49:37 GMT",
        "Sun, 06 November 2033 08:49:37 GMT", "Sun, 06 11 2033 08:49:37 GMT",
        "Nov, 06 Nov 2033 08:49:37 GMT", "06 Nov 2033 08:49:37 GMT",
        "Sun 06 Nov 2033 08:49:37 GMT", "Sun, 06 Nov 02033 08:49:37 GMT",
        "Sun, 06 Nov -033 08:49:37 GMT", "Sun, 06 Nov 20330 08:49:37 GMT",
        "Sun, 6 Nov 2033 08:49:37 GMT", "Sun, 06 Nov 2033 08:49:37 AM GMT",
        "Sun Nov  6 08:49:37 2033 GMT", "Sun Nov  6 08:49:37 33",
        "\"Sun, 06 Nov 2033 08:49:37 GMT\"", "Sun, 06 Nov 2033 08:49:37 GMT, 1",
        "Sun,06 Nov 2033 08:49:37 GMT", "Sun, 06 Nov 2033 \u{0660}8:49:37 GMT",
        "Sun, 06 Nov 2033 08:49:37 \u{0413}MT", "Sunday, 06-Nov-033 08:49:37 GMT",
    ].map { expires($0, isDate: false, "4.2.1, 5.3") }

    private static let years: [CacheCase] = [
        CacheCase(
            "two digits of a year can be up to 50 years ahead (9110 5.6.7)",
            .get(.sent, ["Expires": "Monday, 13-Nov-73 22:13:20 GMT"]), .get(.hit)),
        CacheCase(
            "two digits of a year of more than 50 years ahead are past (9110 5.6.7)",
            .get(.sent, ["Expires": "Friday, 15-Dec-73 22:13:20 GMT"]), .get(.sent)),
        CacheCase(
            "two digits of the next year are past (9110 5.6.7)",
            .get(.sent, ["Expires": "Friday, 15-Nov-74 22:13:20 GMT"]), .get(.sent)),
        CacheCase(
            "two digits of the last century are past (9110 5.6.7)",
            .get(.sent, ["Expires": "Sunday, 06-Nov-94 08:49:37 GMT"]), .get(.sent)),
    ]
}
