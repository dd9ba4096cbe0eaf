import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

/// Checks sent credentials with the server side of Digest, written in Python from the RFC.
@Suite(
    "Digest checked by an independent server",
    .enabled(if: Python.isInstalled, Python.comment),
    .timeLimit(.minutes(5))
)
struct DigestVerificationTests {
    struct Case: Codable {
        var challenge: String
        var realm: String
        var opaque: String?
        var algorithm: String?
        var qualities: [String]
        var hashesUserName: Bool
        var nonces: [String]
        var counts: [Int]
        var user: String
        var password: String
        var method: String
        var target: String
        var body: String?
        var fields: [String] = []
    }

    static let characters = Array("abcXYZ019 \"\\,=:'%äøß€😀;/?#\u{301}")
    static let plainCharacters = Array("abcXYZ019+/=-_.")

    static func text(
        _ length: ClosedRange<Int>,
        of characters: [Character] = characters,
        _ generator: inout SeededGenerator
    ) -> String {
        String(
            (0..<Int.random(in: length, using: &generator)).compactMap { _ in
                characters.randomElement(using: &generator)
            }
        )
    }

    static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    static func makeCase(_ generator: inout SeededGenerator) -> Case {
        let names = [
            nil, "MD5", "md5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-SESS",
        ]
        let algorithm = names.randomElement(using: &generator) ?? nil
        var qualities =
            [[], ["auth"], ["auth-int"], ["auth", "auth-int"]]
            .randomElement(using: &generator) ?? []
        if algorithm?.lowercased().hasSuffix("sess") == true, qualities.isEmpty {
            qualities = ["auth"]
        }
        let realm = text(0...12, &generator)
        let opaque = Bool.random(using: &generator) ? text(0...8, &generator) : nil
        let nonce = text(1...20, of: plainCharacters, &generator)
        let hashesUserName = Bool.random(using: &generator)
        var parameters = ["realm=\(quoted(realm))", "nonce=\(quoted(nonce))"]
        if let opaque { parameters.append("opaque=\(quoted(opaque))") }
        if let algorithm { parameters.append("algorithm=\(algorithm)") }
        if !qualities.isEmpty { parameters.append("qop=\"\(qualities.joined(separator: ", "))\"") }
        if hashesUserName { parameters.append("userhash=true") }
        parameters.shuffle(using: &generator)
        let method = ["GET", "POST", "PUT"].randomElement(using: &generator) ?? ""
        return Case(
            challenge: "Digest \(parameters.joined(separator: ", "))",
            realm: realm,
            opaque: opaque,
            algorithm: algorithm,
            qualities: qualities,
            hashesUserName: hashesUserName,
            nonces: [nonce, nonce, "next-\(nonce)", "next-\(nonce)"],
            counts: [1, 2, 1, 2],
            user: text(0...10, &generator),
            password: text(0...10, &generator),
            method: method,
            target:
                "/\(text(0...8, of: plainCharacters, &generator))?\(text(0...3, of: plainCharacters, &generator))",
            body: method == "GET" ? nil : text(0...30, &generator)
        )
    }

    /// Sends four requests: one after the challenge, one in advance, two with the next nonce.
    static func send(_ example: inout Case) throws {
        let cache = AuthenticationCache()
        let request = try AuthenticatedRequest.test(
            "http://a.test\(example.target)", method: example.method,
            body: example.body.map { .data(Data($0.utf8)) } ?? .none
        )
        var first = TaskAuthentication(cache: cache)
        _ = try first.next(after: .unauthorized(example.challenge), to: request).asked()
        let step = first.answer(.useCredential(.test(example.user, example.password)))
        example.fields.append(try #require(try step.retried()["Authorization"]))
        #expect(first.next(after: try .test(200), to: request).isDelivery)
        for index in 1..<4 {
            var task = TaskAuthentication(cache: cache)
            example.fields.append(try #require(task.fields(for: request).first?.value))
            let info = ("Authentication-Info", "nextnonce=\(quoted(example.nonces[2]))")
            #expect(
                task.next(after: try .test(200, index == 1 ? [info] : []), to: request).isDelivery)
        }
    }

    @Test("random challenges, credentials and requests are accepted every time")
    func randomCombinations() throws {
        var generator = SeededGenerator(seed: 2617)
        var examples = (0..<400).map { _ in Self.makeCase(&generator) }
        for index in examples.indices { try Self.send(&examples[index]) }
        let faults = try Self.faults(in: examples)
        #expect(faults == [])
    }

    @Test("the verifier refuses wrong values")
    func verifier() throws {
        var generator = SeededGenerator(seed: 1)
        var example = Self.makeCase(&generator)
        while example.qualities.isEmpty { example = Self.makeCase(&generator) }
        try Self.send(&example)
        var examples = [example, example, example, example]
        examples[1].password += "x"
        examples[2].target += "x"
        examples[3].counts = [1, 1, 1, 2]
        let faults = try Self.faults(in: examples)
        #expect(faults.count == 3)
    }

    /// Returns the errors that the Python verifier finds in the examples.
    static func faults(in examples: [Case]) throws -> [String] {
        let input = String(decoding: try JSONEncoder().encode(examples), as: UTF8.self)
        return try JSONDecoder().decode([String].self, from: Python.run(program, input: input))
    }

    static let program = #"""
        import hashlib, json, re, sys, urllib.parse

        def hasher(name):
            def run(text):
                if isinstance(text, str): text = text.encode()
                return hashlib.new(name, text).hexdigest()
            return run

        def read(field):
            kind, rest = field.split(" ", 1)
            assert kind == "Digest", "scheme"
            found, place = {}, 0
            pattern = re.compile(r'([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))(?:, |$)')
            while place < len(rest):
                match = pattern.match(rest, place)
                assert match, "grammar at " + rest[place:]
                name, quoted, token = match.groups()
                assert name not in found, "twice " + name
                quotable = name in ("username", "realm", "nonce", "uri", "response", "cnonce", "opaque")
                assert quotable == (quoted is not None), "quotes of " + name
                found[name] = token if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
                place = match.end()
            return found

        def check(case, index, session):
            sent = read(case["fields"][index])
            name = case.get("algorithm") or "MD5"
            base = name.upper().removesuffix("-SESS")
            h = hasher({"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}[base])
            nonce = case["nonces"][index]
            assert sent.get("algorithm") == case.get("algorithm"), "algorithm"
            assert sent["realm"] == case["realm"], "realm"
            assert sent["nonce"] == nonce, "nonce"
            assert sent["uri"] == case["target"], "uri"
            assert sent.get("opaque") == case.get("opaque"), "opaque"
            if case["hashesUserName"]:
                assert sent["userhash"] == "true", "userhash"
                assert sent["username"] == h(case["user"] + ":" + case["realm"]), "username hash"
            elif case["user"].isascii():
                assert sent["username"] == case["user"], "username"
            else:
                assert "username" not in sent, "two user names"
                charset, _, value = sent["username*"].split("'", 2)
                assert charset == "UTF-8", "charset"
                assert re.fullmatch(r"(?:%[0-9A-F]{2}|[A-Za-z0-9!#$&+.^_`|~-])*", value), "username*"
                assert urllib.parse.unquote(value) == case["user"], "username*"
            qop = sent.get("qop")
            assert (qop is not None) == bool(case["qualities"]), "qop"
            key = h(":".join((case["user"], case["realm"], case["password"])))
            if qop is None:
                assert "nc" not in sent and "cnonce" not in sent, "no qop, but nc or cnonce"
            else:
                assert qop in case["qualities"], "qop"
                if case.get("body") is not None and "auth-int" in case["qualities"]:
                    assert qop == "auth-int", "body not protected"
                assert re.fullmatch("[0-9a-f]{8}", sent["nc"]), "nc"
                assert int(sent["nc"], 16) == case["counts"][index], "nc"
                assert len(sent["cnonce"]) >= 16, "cnonce"
            if name.upper().endswith("-SESS"):
                if index == 0: session["key"] = h(":".join((key, nonce, sent["cnonce"])))
                key = session["key"]
            action = case["method"] + ":" + sent["uri"]
            if qop == "auth-int": action += ":" + h(case.get("body") or "")
            middle = [sent["nc"], sent["cnonce"], qop] if qop else []
            expected = h(":".join([key, nonce] + middle + [h(action)]))
            assert sent["response"] == expected, "response"

        faults = []
        for number, case in enumerate(json.load(sys.stdin)):
            session = {}
            try:
                for index in range(len(case["fields"])): check(case, index, session)
            except Exception as error:
                faults.append(f"{number}: {error!r} in {case}")
        print(json.dumps(faults))
        """#
}
