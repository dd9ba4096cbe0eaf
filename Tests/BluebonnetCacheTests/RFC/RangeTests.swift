import Foundation
import Testing

@Suite("How ranges are answered", .timeLimit(.minutes(1)))
struct RangeTests {
    @Test(arguments: CacheCase.all(Self.ranges, Self.ignored, Self.conditions, Self.others))
    func holds(_ item: CacheCase) async { await item.run() }

    private static let whole = Reply.body(
        "0123456789", ["Cache-Control": "max-age=100", "ETag": "\"a\"", "Last-Modified": "{-50}"])

    /// Returns a case of a range of the ten digits; an empty part is not satisfiable.
    private static func range(
        _ sentence: String, _ range: String, _ part: String, _ contentRange: String
    ) -> CacheCase {
        CacheCase(
            sentence, .get(.sent, whole),
            .get(
                ["Range": range],
                .hit(
                    part, status: part.isEmpty ? 416 : 206,
                    [
                        "Content-Range": "bytes \(contentRange)/10",
                        "Content-Length": "\(part.utf8.count)", "ETag": "\"a\"",
                    ])))
    }

    private static let ranges: [CacheCase] = [
        range("a range is part of the body (9110 14.1.2)", "bytes=2-4", "234", "2-4"),
        range("a range can have one byte (9110 14.1.2)", "bytes=0-0", "0", "0-0"),
        range("a range can be the whole body (9110 14.1.2)", "bytes=0-9", "0123456789", "0-9"),
        range("a range without an end goes to the end (9110 14.1.2)", "bytes=7-", "789", "7-9"),
        range("the end of a range is cut (9110 14.1.2)", "bytes=8-100", "89", "8-9"),
        range("a suffix is the last bytes (9110 14.1.2)", "bytes=-3", "789", "7-9"),
        range("a suffix is cut (9110 14.1.2)", "bytes=-100", "0123456789", "0-9"),
        range(
            "an end beyond 2^64 is cut (9110 14.2)", "bytes=9-99999999999999999999999", "9", "9-9"),
        range(
            "an end at 2^63 - 1 is cut (9110 14.2)", "bytes=9-9223372036854775807", "9", "9-9"),
        range(
            "a suffix beyond 2^64 is cut (9110 14.2)", "bytes=-99999999999999999999999",
            "0123456789", "0-9"),
        range("the unit has any case (9110 14.1)", "BYTES=2-4", "234", "2-4"),
        range("a range behind the end is not satisfiable (9110 14.1.2)", "bytes=10-", "", "*"),
        range(
            "a range far behind the end is not satisfiable (9110 14.2)",
            "bytes=99999999999999999999999-", "", "*"),
        range("an empty suffix is not satisfiable (9110 14.1.2)", "bytes=-0", "", "*"),
    ]

    private static let ignored: [CacheCase] = [
        "bytes=4-2", "bytes=-", "bytes=", "bytes", "bytes=a-b", "bytes=1", "bytes=1-2-3",
        "bytes=+1-2", "bytes=1-0x5", "bytes=1.5-2", "bytes=--1", "", "bytes 1-2",
        "bytes=\u{0661}-\u{0662}",
    ].map { range in
        CacheCase(
            "the range '\(range)' is none, and ignored (9110 14.2)", .get(.sent, whole),
            .get(["Range": range], .hit("0123456789", ["Content-Range": nil])))
    }

    /// Returns a case of a range with conditions.
    private static func condition(
        _ sentence: String, _ fields: FieldLines, isMet: Bool, _ reply: Reply = whole
    ) -> CacheCase {
        var fields = fields
        fields.lines += (["Range": "bytes=0-1"] as FieldLines).lines
        return CacheCase(
            sentence, .get(.sent, reply),
            .get(fields, isMet ? .hit("01", status: 206) : .hit("0123456789")))
    }

    private static let conditions: [CacheCase] = [
        condition("If-Range with the tag (9110 13.1.5)", ["If-Range": "\"a\""], isMet: true),
        condition("If-Range with another tag (9110 13.1.5)", ["If-Range": "\"b\""], isMet: false),
        condition(
            "If-Range compares strongly (9110 13.1.5)", ["If-Range": "W/\"a\""], isMet: false),
        condition(
            "If-Range does not match a weak tag (9110 13.1.5)", ["If-Range": "W/\"a\""],
            isMet: false,
            .body("0123456789", ["Cache-Control": "max-age=100", "ETag": "W/\"a\""])),
        condition(
            "If-Range with the date (9110 13.1.5)", ["If-Range": "{-50}"], isMet: true,
            .body("0123456789", ["Cache-Control": "max-age=100", "Last-Modified": "{-50}"])),
        condition(
            "If-Range with a later date (9110 13.1.5)", ["If-Range": "{0}"], isMet: false,
            .body("0123456789", ["Cache-Control": "max-age=100", "Last-Modified": "{-50}"])),
        condition(
            "If-Range with a date that is not strong (9110 8.8.2)", ["If-Range": "{0}"],
            isMet: false,
            .body("0123456789", ["Cache-Control": "max-age=100", "Last-Modified": "{0}"])),
        condition("If-Range with nonsense (9110 13.1.5)", ["If-Range": "a"], isMet: false),
        condition(
            "If-None-Match that is not met (9110 13.2.2)", ["If-None-Match": "\"b\""], isMet: true),
        CacheCase(
            "If-None-Match that is met comes before the range (9110 13.2.2)", .get(.sent, whole),
            .get(["If-None-Match": "\"a\"", "Range": "bytes=0-1"], .hit("", status: 304))),
    ]

    private static let others: [CacheCase] = [
        CacheCase(
            "HEAD has no range (9110 14.2)", .get(.sent, whole),
            .send("HEAD", ["Range": "bytes=0-1"], .hit("", ["Content-Range": nil]))),
        CacheCase(
            "an error has no range (9110 14.2)",
            .get(.sent, .status(404, ["Cache-Control": "max-age=100"], body: "0123456789")),
            .get(["Range": "bytes=0-1"], .hit("0123456789", status: 404))),
        CacheCase(
            "by our choice, several ranges are passed on (9110 14.2)", .get(.sent, whole),
            .get(["Range": "bytes=0-1,4-5"], .sent(request: ["Range": "bytes=0-1,4-5"]))),
        CacheCase(
            "by our choice, another unit is passed on (9110 14.2)", .get(.sent, whole),
            .get(["Range": "lines=0-1"], .sent(request: ["Range": "lines=0-1"]))),
        CacheCase(
            "by our choice, a repeated Range is passed on (9110 14.2)", .get(.sent, whole),
            .get(["Range": "bytes=0-1", "Range": "bytes=4-5"], .sent)),
        CacheCase(
            "a range of an empty body is not satisfiable (9110 14.1.2)",
            .get(.sent, .body("", ["Cache-Control": "max-age=100"])),
            .get(
                ["Range": "bytes=0-"], .hit("", status: 416, ["Content-Range": "bytes */0"]))),
        CacheCase(
            "a range is sent on if nothing is stored (9110 14.2)",
            .get(
                ["Range": "bytes=0-1"], .sent(request: ["Range": "bytes=0-1"]),
                .status(206, ["Content-Range": "bytes 0-1/10"], body: "01"))),
        CacheCase(
            "a part does not replace the whole (3.4)", .get(.sent, whole), .wait(100),
            .get(
                ["Range": "bytes=0-1"], .sent,
                .status(206, ["Content-Range": "bytes 0-1/10", "ETag": "\"b\""], body: "ab")),
            .get(
                .validated("0123456789", request: ["If-None-Match": "\"a\""]),
                .status(304, ["ETag": "\"a\""]))),
        CacheCase(
            "a range of a stale response is validated first (4.3.2)", .get(.sent, whole),
            .wait(100),
            .get(
                ["Range": "bytes=0-1"],
                .validated("01", status: 206, request: ["If-None-Match": "\"a\""]),
                .status(304, ["ETag": "\"a\""]))),
        CacheCase(
            "a server that answers a range with the whole body has it stored (9110 14.2)",
            .get(["Range": "bytes=0-1"], .sent, whole), .get(.hit("0123456789"))),
        CacheCase(
            "416 of the server is passed on and not stored without a lifetime (3)",
            .get(["Range": "bytes=20-"], .sent, .status(416)), .get(.sent)),
    ]
}
