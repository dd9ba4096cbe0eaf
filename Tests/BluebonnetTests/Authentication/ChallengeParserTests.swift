import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("Parsing WWW-Authenticate", .timeLimit(.minutes(5)))
struct ChallengeParserTests {
    /// Returns a line for each challenge: scheme, token68 in angle brackets, sorted parameters.
    static func summary(_ challenges: [OfferedChallenge]) -> [String] {
        challenges.map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value)" }
            let token = challenge.token68.map { ["<\($0)>"] } ?? []
            return ([challenge.scheme.name] + token + parameters).joined(separator: "|")
        }
    }

    @Test(
        "challenges and their parameters are distinguished",
        arguments: [
            (["Basic realm=\"a\""], ["Basic|realm=a"]),
            (["basic REALM=a"], ["Basic|realm=a"]),
            (["Basic realm = \"a\" ,\tcharset=\"UTF-8\""], ["Basic|charset=UTF-8|realm=a"]),
            (
                ["Basic realm=\"a, b\", Digest realm=\"c=\\\"d\\\\\", nonce=e"],
                ["Basic|realm=a, b", "Digest|nonce=e|realm=c=\"d\\"]
            ),
            (["Basic realm=\"a\"", "Digest nonce=b"], ["Basic|realm=a", "Digest|nonce=b"]),
            (["Negotiate, NTLM, Basic realm=\"\""], ["Negotiate", "NTLM", "Basic|realm="]),
            (
                ["Negotiate YII/+-._~==, Basic realm=a"],
                ["Negotiate|<YII/+-._~==>", "Basic|realm=a"]
            ),
            ([",, , Basic realm=a,,, ,charset=b, ,"], ["Basic|charset=b|realm=a"]),
            (["Digest , realm=a"], ["Digest|realm=a"]),
            (
                [
                    "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\""
                ],
                ["Newauth|realm=apps|title=Login to \"apps\"|type=1", "Basic|realm=simple"]
            ),
            (["Basic realm=\"fünf€\""], ["Basic|realm=fünf€"]),
            (["Basic a=b"], ["Basic|a=b"]),
            (["Basic a="], ["Basic|<a=>"]),
            ([], []), ([""], []), ([" \t, ,"], []),
        ]
    )
    func wellFormed(values: [String], expected: [String]) {
        #expect(Self.summary(ChallengeParser.challenges(in: values)) == expected)
    }

    @Test(
        "a malformed challenge is skipped and the others are read",
        arguments: [
            ("Basic realm=a, realm=a, Digest nonce=b", ["Digest|nonce=b"]),
            ("Basic realm=a, REALM=b", []),
            ("Basic realm=\"a", []),
            ("Basic realm=a, Digest realm=\"b, Bearer realm=c", ["Basic|realm=a"]),
            ("Basic realm=\"a\\", []),
            ("Basic realm=\"a\u{1}\", Digest nonce=b", ["Digest|nonce=b"]),
            ("Basic realm=\"a\\\u{0}\", Digest nonce=b", ["Digest|nonce=b"]),
            ("Basic realm=\"a\" charset=b, Digest nonce=c", ["Digest|nonce=c"]),
            ("Basic realm=a\"b, Digest nonce=c\", Bearer realm=d", ["Bearer|realm=d"]),
            ("Basic realm=a;charset=b, Digest nonce=c", ["Digest|nonce=c"]),
            ("Basic realm==a, Digest nonce=c", ["Digest|nonce=c"]),
            ("Basic realm=, charset=a, Digest nonce=c", ["Digest|nonce=c"]),
            ("Basic foo bar, realm=a, Digest nonce=c", ["Digest|nonce=c"]),
            ("Basic\"x\", Digest nonce=c", ["Digest|nonce=c"]),
            ("=a, Digest nonce=c", ["Digest|nonce=c"]),
            ("@, realm=a, Digest nonce=c", ["Digest|nonce=c"]),
            ("realm=a, Digest nonce=c", ["Digest|nonce=c"]),
            ("Negotiate abc=, realm=a, Digest nonce=c", ["Digest|nonce=c"]),
            ("Digest nonce=a, stale, realm=b", ["Digest|nonce=a", "stale|realm=b"]),
            ("Basic realm=a\r\nX: y", []),
        ]
    )
    func malformed(value: String, expected: [String]) {
        #expect(Self.summary(ChallengeParser.challenges(in: [value])) == expected)
    }

    @Test("challenges and parameters beyond the limits are skipped")
    func bounds() {
        let many = Array(repeating: "Basic realm=a", count: 100)
        #expect(ChallengeParser.challenges(in: many).count == 32)
        #expect(ChallengeParser.challenges(in: [many.joined(separator: ",")]).count == 32)

        func parameters(_ count: Int) -> String {
            "X " + (0..<count).map { "p\($0)=1" }.joined(separator: ",")
        }
        #expect(ChallengeParser.challenges(in: [parameters(32)]).count == 1)
        #expect(ChallengeParser.challenges(in: [parameters(33)]).isEmpty)

        func realm(_ size: Int) -> String {
            "Basic realm=\"\(String(repeating: "r", count: size))\""
        }
        #expect(ChallengeParser.challenges(in: [realm(4096), realm(4097)]).count == 1)
        #expect(ChallengeParser.challenges(in: [realm(20_000), realm(1)]).count == 1)
        let token = "Negotiate " + String(repeating: "A", count: 16_000)
        #expect(ChallengeParser.challenges(in: Array(repeating: token, count: 10)).count == 4)
    }

    @Test("Authentication-Info has parameters only")
    func parameters() {
        #expect(
            ChallengeParser.parameters(in: "nextnonce=\"a,b\", qop=auth, nc=00000001")
                == ["nextnonce": "a,b", "qop": "auth", "nc": "00000001"])
        for malformed in ["a=b, a=c", "Digest a=b", "a=b, Digest", "a=\"", "a", "a=b c=d"] {
            #expect(ChallengeParser.parameters(in: malformed) == nil, "\(malformed)")
        }
    }

    @Test("no mutation of a field traps, and the result keeps the limits")
    func mutations() {
        let seeds = [
            "Basic realm=\"a, b\", charset=\"UTF-8\"",
            "Digest realm=\"r\\\"\", nonce=\"n\", qop=\"auth,auth-int\", algorithm=SHA-256, stale=true",
            "Negotiate YII==, NTLM, Bearer error=\"x\", scope=\"a b\"",
            "é=\"\u{7F}\"",
        ].map { Array($0.utf8) }
        let pieces = [
            "\"", "\\", ",", "=", " ", "\t", "\u{0}", "Digest ", "a=b", "\"\"", "é", "==",
        ]
        .map { Array($0.utf8) }
        var generator = SeededGenerator(seed: 7616)
        var foundCount = 0
        for _ in 0..<100_000 {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1))
                case 1: bytes.removeLast(bytes.count - place)
                case 2: bytes.insert(.random(in: .min ... .max, using: &generator), at: place)
                default:
                    let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                    bytes.insert(contentsOf: piece, at: place)
                }
            }
            let value = String(decoding: bytes, as: UTF8.self)
            let challenges = ChallengeParser.challenges(in: [value, value])
            foundCount += challenges.count
            let isSound = challenges.allSatisfy { challenge in
                !challenge.isMalformed && !challenge.scheme.name.isEmpty
                    && (challenge.token68 == nil || challenge.parameters.isEmpty)
                    && challenge.parameters.values.allSatisfy { value in
                        !value.utf8.contains { $0 != 9 && ($0 < 0x20 || $0 == 0x7F) }
                    }
            }
            if !isSound { Issue.record("\(value.debugDescription)") }
            let selection = AuthenticationOffer.Selection(challenges)
            if selection.supported.count > challenges.count { Issue.record("\(value)") }
        }
        #expect(foundCount > 100_000)
    }
}
