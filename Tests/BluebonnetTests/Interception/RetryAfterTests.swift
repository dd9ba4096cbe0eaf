import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Retry policies: Retry-After", .timeLimit(.minutes(5)))
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let date = Date(timeIntervalSince1970: 784_111_777)

    private func delay(_ values: String..., at date: Date = Self.date) -> TimeInterval? {
        var headers = HTTPHeaders()
        for value in values { headers.add("retry-after", value) }
        return RetryAfter(headers, at: date)?.delay
    }

    @Test("an error has the seconds that its response asks to wait, as a number or a date")
    func errors() {
        func seconds(_ fields: HTTPHeaders) -> TimeInterval? {
            let head = ResponseHead(
                statusCode: 429, headers: fields, url: URL(filePath: "/"))
            return BluebonnetError.unacceptableStatus(429, .init(head: head)).retryAfter
        }
        #expect(seconds(["Retry-After": "30"]) == 30)
        #expect(seconds(["Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"]) == 0)
        #expect(seconds(["Retry-After": String(repeating: "9", count: 400)]) == .infinity)
        #expect(seconds(["Retry-After": "soon"]) == nil && seconds([:]) == nil)
    }

    @Test("seconds and three date formats are read, relative to the clock's date")
    func forms() {
        #expect(delay("0") == 0 && delay("120") == 120 && delay(" 5\t") == 5)
        #expect(delay("Sun, 06 Nov 1994 08:49:47 GMT") == 10)
        #expect(delay("Sunday, 06-Nov-94 08:49:47 GMT") == 10)
        #expect(delay("Sun Nov  6 08:49:47 1994") == 10)
        #expect(delay("Wed Nov 16 08:49:37 1994") == 864_000)
        #expect(delay("Sun, 06 Nov 1994 08:49:38 GMT", at: Self.date + 0.25) == 0.75)
    }

    @Test("a date in the past is no delay")
    func past() {
        #expect(delay("Sun, 06 Nov 1994 08:49:37 GMT") == 0)
        #expect(delay("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(delay("Sunday, 06-Nov-94 08:49:36 GMT") == 0)
    }

    @Test(
        "values that are neither seconds nor a date are ignored",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1e3", "0x10", "1 2", "1, 2", "soon", "\u{661}", "NaN",
            "inf", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-+4 08:49:37 GMT",
            "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Sunday, -- :: GMT",
            "Sun Nov  6 08:49:37 94", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 ?",
            "Sun Nov  0 08:49:37 1994", "Sun  Nov 6 25:49:37 1994", "Sun, Nov 6 08:49:37 1994",
        ])
    func nonsense(value: String) async throws {
        #expect(delay(value) == nil)
        let error = BluebonnetError.status(503, ["Retry-After": value])
        let policy = RetryPolicy(maximumRetryAfter: 60)
        #expect(await (try AskedRequest()).delay(policy, error) == 0.5)
    }

    @Test("of several fields the longest delay counts, and invalid ones are ignored")
    func several() {
        #expect(delay("3", "x", "7", "-9") == 7)
        #expect(delay("3", "Sun, 06 Nov 1994 08:49:47 GMT") == 10)
        #expect(delay("x", "y") == nil && delay() == nil)
    }

    @Test("an enormous number exceeds every finite maximum")
    func huge() async throws {
        let digits = String(repeating: "9", count: 5000)
        #expect(delay(digits) == .infinity)
        let error = BluebonnetError.status(503, ["Retry-After": digits])
        let policy = RetryPolicy(maximumRetryAfter: .greatestFiniteMagnitude)
        #expect(await !(try AskedRequest()).isRetried(by: policy, error))
    }

    @Test("a two-digit year is at most 50 years ahead of the clock (RFC 9110 section 5.6.7)")
    func centuries() throws {
        func year(_ digits: String, in year: String) throws -> String {
            let now = try #require(HTTPDate("Thu, 01 Jul \(year) 00:00:00 GMT"))
            let date = Date(timeIntervalSince1970: TimeInterval(now.seconds))
            let text = "Thursday, 01-Jul-\(digits) 00:00:00 GMT"
            let seconds = try #require(HTTPDate(anyForm: text, at: date)?.seconds)
            let years = (Double(seconds) / 31_556_952).rounded() + 1970
            return "\(Int(years))"
        }
        #expect(try year("94", in: "1994") == "1994" && year("44", in: "1994") == "2044")
        #expect(try year("45", in: "1994") == "1945" && year("01", in: "1999") == "2001")
        #expect(try year("76", in: "2026") == "2076" && year("77", in: "2026") == "1977")
        #expect(try year("01", in: "2099") == "2101" && year("99", in: "2100") == "2099")
    }

    @Test("no date of the clock traps")
    func oddClocks() {
        let seconds: [TimeInterval] = [
            .nan, .infinity, -.infinity, 1e300, -1e300, 1e15, -1e15, 253_402_300_800, -62e9,
        ]
        let values = ["5", "Sun, 06 Nov 1994 08:49:47 GMT", "Sunday, 06-Nov-94 08:49:47 GMT"]
        for value in values {
            for seconds in seconds {
                let delay = delay(value, at: Date(timeIntervalSince1970: seconds))
                #expect((delay ?? 0) >= 0, "\(value) at \(seconds)")
            }
        }
    }

    @Test("no text traps")
    func randomTexts() {
        let seed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))
        var random = SeededGenerator(seed: seed)
        let texts = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "120",
        ].map { Array($0.utf8) }
        for _ in 0..<5000 {
            var bytes = texts.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where !bytes.isEmpty: bytes[place] = .random(in: 0...255, using: &random)
                case 1 where !bytes.isEmpty: bytes.remove(at: place)
                default: bytes.insert(.random(in: 0x20...0x7E, using: &random), at: place)
                }
            }
            let delay = delay(String(decoding: bytes, as: UTF8.self))
            #expect((delay ?? 0) >= 0, "BLUEBONNET_SEED=\(seed)")
        }
    }

    @Test("the policy waits at least as long as the server asks, up to the maximum")
    func maximum() async throws {
        let clock = ManualClock(startingAt: Self.date)
        let asked = try AskedRequest(clock: clock)
        let policy = RetryPolicy(maximumRetryAfter: 60)
        for (value, expected) in [
            ("0", 0.5), ("7", 7), ("60", 60), ("61", nil), ("1000000", nil),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:50:38 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0.5), ("Sun, 06 Nov 1994 08:49:36 GMT", 0.5),
        ] as [(String, TimeInterval?)] {
            let error = BluebonnetError.status(429, ["Retry-After": value])
            let tooMany = RetryPolicy(retryableHTTPStatusCodes: [429], maximumRetryAfter: 60)
            #expect(await asked.delay(tooMany, error) == expected, "\(value)")
            #expect(await asked.delay(policy, error) == nil, "429 is not listed")
        }
        let error = BluebonnetError.status(503, ["Retry-After": "1000000"])
        #expect(await asked.delay(RetryPolicy(), error) == 0.5)
    }

    @Test("with a negative or NaN maximum, no response with a valid field is retried")
    func nonsenseMaximum() async throws {
        let asked = try AskedRequest()
        for maximum: TimeInterval in [-1, -.infinity, .nan] {
            let policy = RetryPolicy(maximumRetryAfter: maximum)
            for (value, expected) in [("0", nil), ("5", nil), ("x", 0.5)]
                as [(String, TimeInterval?)]
            {
                let error = BluebonnetError.status(503, ["Retry-After": value])
                #expect(await asked.delay(policy, error) == expected, "\(maximum), \(value)")
            }
        }
    }

    @Test("jitter is added, also to a date in the past")
    func jitter() async throws {
        let asked = try AskedRequest()
        let policy = RetryPolicy(
            jitter: .full { $0.upperBound / 2 }, maximumRetryAfter: 10)
        for (value, expected) in [("4", 4.25), ("10", 10.25), ("0", 0.25), ("x", 0.25)] {
            let error = BluebonnetError.status(503, ["Retry-After": value])
            #expect(await asked.delay(policy, error) == expected)
        }
        let error = BluebonnetError.status(503, ["Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"])
        #expect(await asked.delay(policy, error) == 0.25)
    }

    @Test("a jump of the clock changes what a date means, and seconds stay the same")
    func jumps() async throws {
        let date = BluebonnetError.status(503, ["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"])
        let seconds = BluebonnetError.status(503, ["Retry-After": "9"])
        let policy = RetryPolicy(maximumRetryAfter: 60)
        for (offset, expected) in [
            (0, 10), (3600, 0.5), (-3600, nil), (1e12, 0.5), (-1e12, nil), (.infinity, 0.5),
            (-.infinity, nil), (.nan, 0.5),
        ] as [(TimeInterval, TimeInterval?)] {
            let start = Date(timeIntervalSince1970: 784_111_777 + offset)
            let asked = try AskedRequest(clock: ManualClock(startingAt: start))
            #expect(await asked.delay(policy, date) == expected, "\(offset)")
            #expect(await asked.delay(policy, seconds) == 9, "\(offset)")
        }
    }
}
