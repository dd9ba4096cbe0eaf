import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

/// A requirement of a standard: a sentence, and the requests that show it.
struct CacheCase: Sendable, CustomTestStringConvertible {
    enum Kind: String, Sendable, CaseIterable {
        case shared, `private`
    }

    let sentence: String
    let kind: Kind
    let steps: [CacheStep]
    private var heuristicFraction = 0.0

    init(_ sentence: String, in kind: Kind = .shared, _ steps: CacheStep...) {
        self.init(sentence, in: kind, steps)
    }

    init(_ sentence: String, in kind: Kind = .shared, _ steps: [CacheStep]) {
        (self.sentence, self.kind, self.steps) = (sentence, kind, steps)
    }

    /// Returns the same case for both kinds of cache.
    static func both(_ sentence: String, _ steps: CacheStep...) -> [Self] {
        Kind.allCases.map { Self(sentence, in: $0, steps) }
    }

    /// Returns the cases of several groups.
    static func all(_ groups: [Self]...) -> [Self] { groups.flatMap { $0 } }

    /// Returns a copy whose cache guesses lifetimes.
    func guessing(_ fraction: Double = 0.1) -> Self {
        var copy = self
        copy.heuristicFraction = fraction
        return copy
    }

    var testDescription: String { "\(kind.rawValue) cache: \(sentence)" }

    private var policy: CachePolicy {
        var policy =
            kind == .shared
            ? CachePolicy.shared
            : .private { exchange in
                exchange.fields.first { $0.name == "Authorization" }?.value ?? "anyone"
            }
        policy.heuristicFraction = heuristicFraction
        policy.maximumBodySize = 1_000
        return policy
    }

    func run() async {
        let fixture = CacheFixture(policy)
        for (index, step) in steps.enumerated() {
            await step.run(in: fixture, "step \(index + 1) in a \(testDescription)")
        }
    }
}

/// Lines of header fields, in whose values `{5}` stands for the date in five seconds.
struct FieldLines: Sendable, ExpressibleByDictionaryLiteral {
    var lines: [Exchange.Field]

    init(dictionaryLiteral lines: (String, String)...) {
        self.lines = lines.map { Exchange.Field(name: $0.0, value: $0.1) }
    }

    func fields(in fixture: CacheFixture) -> [Exchange.Field] {
        lines.map { Exchange.Field(name: $0.name, value: Self.filled($0.value, in: fixture)) }
    }

    static func filled(_ value: String, in fixture: CacheFixture) -> String {
        guard let open = value.firstIndex(of: "{"), let close = value.firstIndex(of: "}"),
            let offset = TimeInterval(value[value.index(after: open)..<close])
        else { return value }
        return value[..<open] + fixture.date(offset) + value[value.index(after: close)...]
    }
}

/// What the origin answers; its body is the number of the request, from 1, unless it has another one.
struct Reply: Sendable, ExpressibleByDictionaryLiteral {
    var status = 200
    var fields: FieldLines
    var body: String?
    var failure: URLError.Code?
    var isCut = false

    init(dictionaryLiteral lines: (String, String)...) {
        fields = [:]
        fields.lines = lines.map { Exchange.Field(name: $0.0, value: $0.1) }
    }

    static func status(_ status: Int, _ fields: FieldLines = [:], body: String? = nil) -> Self {
        var reply: Self = [:]
        (reply.status, reply.fields, reply.body) = (status, fields, body)
        return reply
    }

    static func body(_ body: String, _ fields: FieldLines) -> Self {
        status(200, fields, body: body)
    }

    static func failure(_ code: URLError.Code) -> Self {
        var reply: Self = [:]
        reply.failure = code
        return reply
    }

    /// A body that ends with a failure.
    static func cut(_ body: String, _ fields: FieldLines) -> Self {
        var reply = Self.body(body, fields)
        (reply.failure, reply.isCut) = (.networkConnectionLost, true)
        return reply
    }

    static func control(_ directives: String) -> Self { ["Cache-Control": directives] }

    var values: String { fields.lines.map(\.value).joined(separator: "; ") }

    func answer(_ number: Int, in fixture: CacheFixture) -> Origin.Answer {
        var answer = Origin.Answer(status, body: body ?? "\(number)")
        answer.fields = fields.fields(in: fixture)
        answer.failure = failure.map { Exchange.Failure($0, message: "the test's failure") }
        answer.isCut = isCut
        return answer
    }
}

/// What a request leads to.
struct Expected: Sendable {
    /// The number of requests that the origin receives.
    var count = 0
    var status: Int? = 200
    /// The body; nil for that of the latest request.
    var body: String?
    /// Fields of the response; nil for one that it must not have.
    var fields: [String: String?] = [:]
    /// Fields of the request that the origin receives.
    var request: [String: String?] = [:]
    var failure: URLError.Code?
    /// Whether `Cache-Status` says that the response is a hit; nil if it does when nothing was sent.
    var isHit: Bool?

    /// The cache answers, with the response to the first request.
    static let hit = Self(body: "1")
    static func hit(
        _ body: String = "1", status: Int = 200, _ fields: [String: String?] = [:]
    ) -> Self {
        Self(status: status, body: body, fields: fields)
    }
    static func hit(_ fields: [String: String?]) -> Self { hit("1", fields) }

    /// The origin answers, and its answer arrives unchanged.
    static let sent = Self(count: 1, status: nil)
    static func sent(
        status: Int? = nil, _ fields: [String: String?] = [:], request: [String: String?] = [:]
    ) -> Self {
        Self(count: 1, status: status, fields: fields, request: request)
    }

    /// The origin is asked whether a response is still valid, which the cache then uses.
    static func validated(
        _ body: String = "1", status: Int = 200, _ fields: [String: String?] = [:],
        request: [String: String?] = [:]
    ) -> Self {
        Self(count: 1, status: status, body: body, fields: fields, request: request)
    }

    static func validated(
        _ fields: [String: String?], request: [String: String?] = [:]
    ) -> Self {
        validated("1", fields, request: request)
    }

    /// The cache answers with a stale response, and asks the origin for later.
    static func refreshed(
        _ body: String = "1", status: Int = 200, _ fields: [String: String?] = [:],
        request: [String: String?] = [:]
    ) -> Self {
        Self(count: 1, status: status, body: body, fields: fields, request: request, isHit: true)
    }

    static func fails(_ code: URLError.Code, count: Int = 1) -> Self {
        Self(count: count, status: nil, failure: code)
    }
}

/// A request, after some time.
struct CacheStep: Sendable {
    private var seconds = 0.0
    private var delay = 0.0
    private var method = "GET"
    private var url = "http://a.test/"
    private var fields: FieldLines = [:]
    private var policy = URLRequest.CachePolicy.useProtocolCachePolicy
    private var replies: [Reply] = []
    private var expected: Expected?

    static func wait(_ seconds: Double) -> Self {
        var step = Self()
        step.seconds = seconds
        return step
    }

    static func get(_ expected: Expected, _ replies: Reply...) -> Self {
        Self(fields: [:], replies: replies, expected: expected)
    }

    static func get(_ fields: FieldLines, _ expected: Expected, _ replies: Reply...) -> Self {
        Self(fields: fields, replies: replies, expected: expected)
    }

    static func send(_ method: String, _ expected: Expected, _ replies: Reply...) -> Self {
        Self(method: method, fields: [:], replies: replies, expected: expected)
    }

    static func send(
        _ method: String, _ fields: FieldLines, _ expected: Expected, _ replies: Reply...
    ) -> Self {
        Self(method: method, fields: fields, replies: replies, expected: expected)
    }

    /// Returns a copy with another URL.
    func at(_ url: String) -> Self {
        var copy = self
        copy.url = url
        return copy
    }

    /// Returns a copy with another policy of the request.
    func under(_ policy: URLRequest.CachePolicy) -> Self {
        var copy = self
        copy.policy = policy
        return copy
    }

    /// Returns a copy whose answer takes some seconds.
    func taking(_ seconds: Double) -> Self {
        var copy = self
        copy.delay = seconds
        return copy
    }

    fileprivate func run(in fixture: CacheFixture, _ place: Comment) async {
        if seconds > 0 { await fixture.clock.advance(by: .seconds(seconds)) }
        guard let expected else { return }
        let former = fixture.origin.requests.count
        fixture.origin.answers { [replies] _, number in
            let index = min(number - former, replies.count) - 1
            return (index < 0 ? [:] : replies[index]).answer(number, in: fixture)
        }
        var exchange = fixture.exchange(method, url, policy: policy)
        exchange.fields = fields.fields(in: fixture)
        if delay > 0 { fixture.origin.hold() }
        let caller = Caller()
        let transfer = fixture.cache.start(exchange, reportingTo: caller)
        if delay > 0 {
            await fixture.clock.advance(by: .seconds(delay))
            fixture.origin.release()
        }
        let received = await caller.result()
        withExtendedLifetime(transfer) {}
        let sent = fixture.origin.requests.dropFirst(former)
        #expect(sent.count == expected.count, place)
        #expect(received.failure?.code == expected.failure, place)
        let status = expected.status ?? replies.last?.status ?? 200
        #expect(received.status == (expected.failure == nil ? status : received.status), place)
        if expected.failure == nil {
            let hasBody = method != "HEAD" && ![204, 304].contains(status)
            let number = fixture.origin.requests.count
            let body = expected.body ?? replies.last?.body ?? "\(number)"
            #expect(received.text == (hasBody ? body : ""), place)
            let isHit = expected.isHit ?? (expected.count == 0 && received.cache != nil)
            #expect(received.isHit == isHit, place)
        }
        expect(expected.fields, in: received.head?.fields ?? [], of: fixture, place)
        expect(expected.request, in: sent.first?.fields ?? [], of: fixture, place)
    }

    private func expect(
        _ expected: [String: String?], in fields: [Exchange.Field], of fixture: CacheFixture,
        _ place: Comment
    ) {
        for (name, value) in expected {
            let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            let found = values.isEmpty ? nil : values.joined(separator: ", ")
            #expect(found == value.map { FieldLines.filled($0, in: fixture) }, "\(name), \(place)")
        }
    }
}
