import Bluebonnet
import Foundation
import Testing

@Suite("How a response is validated", .timeLimit(.minutes(1)))
struct ValidationTests {
    @Test(arguments: CacheCase.all(Self.requests, Self.answers, Self.conditions))
    func holds(_ item: CacheCase) async { await item.run() }

    private static let tagged: Reply = ["Cache-Control": "max-age=10", "ETag": "\"a\""]
    private static let unchanged = Reply.status(304, ["ETag": "\"a\""])

    private static let requests = CacheCase.all(
        CacheCase.both(
            "a validation sends the entity tag (4.3.1)", .get(.sent, tagged), .wait(10),
            .get(
                .validated(request: ["If-None-Match": "\"a\"", "If-Modified-Since": nil]),
                unchanged)),
        CacheCase.both(
            "a validation sends a weak entity tag as it is (4.3.1)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "W/\"a\""]), .wait(10),
            .get(
                .validated(request: ["If-None-Match": "W/\"a\""]),
                .status(304, ["ETag": "W/\"a\""]))),
        CacheCase.both(
            "a validation sends Last-Modified (4.3.1)",
            .get(.sent, ["Cache-Control": "max-age=10", "Last-Modified": "{-50}"]), .wait(10),
            .get(
                .validated(request: ["If-Modified-Since": "{-60}", "If-None-Match": nil]),
                .status(304))),
        CacheCase.both(
            "a validation sends both validators (4.3.1)",
            .get(
                .sent,
                ["Cache-Control": "max-age=10", "Last-Modified": "{-50}", "ETag": "\"a\""]),
            .wait(10),
            .get(
                .validated(
                    request: ["If-Modified-Since": "{-60}", "If-None-Match": "\"a\""]), unchanged)),
        CacheCase.both(
            "nothing is asked about a response without a validator (4.3.1)",
            .get(.sent, .control("max-age=10")), .wait(10),
            .get(.sent(request: ["If-Modified-Since": nil, "If-None-Match": nil]))),
        CacheCase.both(
            "an entity tag that is none is not sent (9110 8.8.3)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "a"]), .wait(10),
            .get(.sent(request: ["If-None-Match": nil]))),
        CacheCase.both(
            "the mark of a weak tag has one case (9110 8.8.3)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "w/\"a\""]), .wait(10),
            .get(.sent(request: ["If-None-Match": nil]))),
        CacheCase.both(
            "a Last-Modified that is no date is not sent (9110 8.8.2)",
            .get(.sent, ["Cache-Control": "max-age=10", "Last-Modified": "yesterday"]),
            .wait(10), .get(.sent(request: ["If-Modified-Since": nil]))),
        CacheCase.both(
            "a validation sends the other fields of the request (4.3.1)", .get(.sent, tagged),
            .wait(10),
            .get(["X-A": "1"], .validated(request: ["X-A": "1"]), unchanged)),
        CacheCase.both(
            "a response that is not fresh is validated at once (4.3)",
            .get(.sent, ["ETag": "\"a\""]),
            .get(.validated(request: ["If-None-Match": "\"a\""]), unchanged)),
        CacheCase.both(
            "HEAD validates the response to GET (4.3.1)", .get(.sent, tagged), .wait(10),
            .send("HEAD", .validated(request: ["If-None-Match": "\"a\""]), unchanged),
            .get(.hit)))

    private static let answers = CacheCase.all(
        CacheCase.both(
            "a full response to a validation is used and stored (4.3.3)", .get(.sent, tagged),
            .wait(10), .get(.sent, ["Cache-Control": "max-age=10", "ETag": "\"b\""]),
            .get(.hit("2")), .wait(10),
            .get(
                .validated("2", request: ["If-None-Match": "\"b\""]),
                .status(304, ["ETag": "\"b\""]))),
        CacheCase.both(
            "an error that is stored is not answered with 304 (9110 13.2.1)",
            .get(.sent, .status(404, ["Cache-Control": "max-age=10", "ETag": "\"a\""])),
            .get(["If-None-Match": "\"a\""], .hit(status: 404))),
        CacheCase.both(
            "another status is passed on (4.3.3)", .get(.sent, tagged), .wait(10),
            .get(.sent, .status(404))),
        CacheCase.both(
            "an error of the server is passed on (4.3.3)", .get(.sent, tagged), .wait(10),
            .get(.sent, .status(503)), .get(.validated(), unchanged)),
        CacheCase.both(
            "a failure is passed on (4.3.3)", .get(.sent, tagged), .wait(10),
            .get(.fails(.timedOut), .failure(.timedOut)), .get(.validated(), unchanged)),
        CacheCase.both(
            "304 with a tag of nothing that is stored is asked again without conditions (4.3.4)",
            .get(.sent, tagged), .wait(10),
            .get(
                Expected(count: 2, body: "3", request: ["If-None-Match": "\"a\""]),
                .status(304, ["ETag": "\"b\""]), tagged)),
        CacheCase.both(
            "304 with a weak tag does not confirm a strong one's bytes but its meaning (4.3.4)",
            .get(.sent, tagged), .wait(10),
            .get(.validated(), .status(304, ["ETag": "W/\"a\""]))),
        CacheCase.both(
            "304 with a strong tag does not confirm a weak one (4.3.4)",
            .get(.sent, ["Cache-Control": "max-age=10", "ETag": "W/\"a\""]), .wait(10),
            .get(
                Expected(count: 2, body: "3"), .status(304, ["ETag": "\"a\""]),
                .control("max-age=10"))),
        CacheCase.both(
            "304 with another Last-Modified confirms nothing (4.3.4)",
            .get(.sent, ["Cache-Control": "max-age=10", "Last-Modified": "{-50}"]), .wait(10),
            .get(
                Expected(count: 2, body: "3"), .status(304, ["Last-Modified": "{-20}"]),
                .control("max-age=10"))),
        CacheCase.both(
            "by our choice, 304 without a validator confirms the only response (4.3.4)",
            .get(.sent, tagged), .wait(10), .get(.validated(), .status(304)), .get(.hit)),
        CacheCase.both(
            "304 to the caller's own conditions is passed on (4.3.3)",
            .get(["If-None-Match": "\"x\""], .sent, .status(304, ["ETag": "\"x\""])), .get(.sent)),
        CacheCase.both(
            "a server whose tag changes each time is asked each time (4.3.3)",
            .get(.sent, ["ETag": "\"1\""]), .get(.sent, ["ETag": "\"2\""]),
            .get(.sent(request: ["If-None-Match": "\"2\""]), ["ETag": "\"3\""]),
            .get(.sent(request: ["If-None-Match": "\"3\""]), ["ETag": "\"4\""])),
        CacheCase.both(
            "a server whose 304 has another tag each time is asked twice at most (4.3.4)",
            .get(.sent, ["ETag": "\"1\""]),
            .get(
                Expected(count: 2, status: 304, body: ""), .status(304, ["ETag": "\"2\""]),
                .status(304, ["ETag": "\"3\""]))))

    /// Returns a case of a caller with conditions, which a fresh response with a tag and a date meets
    /// or not.
    private static func condition(
        _ sentence: String, _ fields: FieldLines, isMet: Bool, tag: String? = "\"a\"",
        date: String? = "{-50}"
    ) -> CacheCase {
        var reply = Reply.control("max-age=100")
        if let tag { reply.fields.lines.append(.init(name: "ETag", value: tag)) }
        if let date { reply.fields.lines.append(.init(name: "Last-Modified", value: date)) }
        return CacheCase(
            sentence, .get(.sent, reply), .get(fields, .hit(status: isMet ? 304 : 200)))
    }

    private static let conditions = [
        condition(
            "If-None-Match with the tag is answered with 304 (4.3.2)", ["If-None-Match": "\"a\""],
            isMet: true),
        condition(
            "If-None-Match with another tag is answered with the response (4.3.2)",
            ["If-None-Match": "\"b\""], isMet: false),
        condition(
            "If-None-Match compares weakly (9110 13.1.2)", ["If-None-Match": "W/\"a\""],
            isMet: true),
        condition(
            "If-None-Match compares weakly with a weak tag (9110 13.1.2)",
            ["If-None-Match": "\"a\""], isMet: true, tag: "W/\"a\""),
        condition(
            "If-None-Match can be a list (9110 13.1.2)",
            ["If-None-Match": "\"x\", W/\"y\" ,,\"a\""], isMet: true),
        condition(
            "If-None-Match can have several lines (9110 13.1.2)",
            ["If-None-Match": "\"x\"", "If-None-Match": "\"a\""], isMet: true),
        condition(
            "If-None-Match: * is met by any response (9110 13.1.2)", ["If-None-Match": "*"],
            isMet: true, tag: nil),
        condition(
            "a quoted * is a tag like others (9110 13.1.2)", ["If-None-Match": "\"*\""],
            isMet: false),
        condition(
            "a comma in a tag ends nothing (9110 8.8.3)", ["If-None-Match": "\"a,b\""],
            isMet: true, tag: "\"a,b\""),
        condition(
            "a part of a tag with a comma is another tag (9110 8.8.3)",
            ["If-None-Match": "\"a\", \"b\""], isMet: false, tag: "\"a, b\""),
        condition(
            "a backslash in a tag escapes nothing (9110 8.8.3)", ["If-None-Match": "\"a\\\""],
            isMet: true, tag: "\"a\\\""),
        condition(
            "tags differ in case (9110 8.8.3)", ["If-None-Match": "\"A\""], isMet: false),
        condition(
            "a tag without quotes is none (9110 8.8.3)", ["If-None-Match": "a"], isMet: false),
        condition(
            "If-None-Match beats If-Modified-Since (9110 13.1.3)",
            ["If-None-Match": "\"b\"", "If-Modified-Since": "{0}"], isMet: false),
        condition(
            "If-Modified-Since with the date is answered with 304 (9110 13.1.3)",
            ["If-Modified-Since": "{-50}"], isMet: true),
        condition(
            "If-Modified-Since with a later date is answered with 304 (9110 13.1.3)",
            ["If-Modified-Since": "{0}"], isMet: true),
        condition(
            "If-Modified-Since with an earlier date is answered with the response (9110 13.1.3)",
            ["If-Modified-Since": "{-51}"], isMet: false),
        condition(
            "If-Modified-Since that is no date is ignored (9110 13.1.3)",
            ["If-Modified-Since": "now"], isMet: false),
        condition(
            "If-Modified-Since that is repeated is ignored (9110 13.1.3)",
            ["If-Modified-Since": "{0}", "If-Modified-Since": "{1}"], isMet: false),
        condition(
            "without Last-Modified, the date of the response is compared (4.3.2)",
            ["If-Modified-Since": "{0}"], isMet: true, date: nil),
        condition(
            "without Last-Modified, an earlier date is answered with the response (4.3.2)",
            ["If-Modified-Since": "{-1}"], isMet: false, date: nil),
    ]
}
