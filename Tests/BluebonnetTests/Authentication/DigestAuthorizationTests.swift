import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Digest authentication", .timeLimit(.minutes(5)))
struct DigestAuthorizationTests {
    static func authorization(
        _ challenge: String,
        _ user: String = "Mufasa",
        _ password: String = "Circle of Life",
        method: String = "GET",
        target: String = "/dir/index.html",
        body: AuthenticatedRequest.Body = .none,
        count: UInt32 = 1,
        clientNonce: String = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    ) throws -> DigestAuthorization {
        let offered = try #require(ChallengeParser.challenges(in: ["Digest \(challenge)"]).first)
        let digest = try #require(DigestChallenge(offered))
        return try DigestSession(digest, clientNonce: clientNonce).authorization(
            of: .test(user, password),
            line: .init(method: method, target: target),
            body: body,
            turn: .init(nonceCount: count, clientNonce: clientNonce)
        )
    }

    static func parameters(_ challenge: String, _ user: String = "Mufasa") throws -> [String:
        String]
    {
        try authorization(challenge, user).fieldValue.digestParameters
    }

    @Test(
        "the examples of RFC 7616 section 3.9.1 are reproduced",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func rfc7616(algorithm: String, response: String) throws {
        let authorization = try Self.authorization(
            """
            realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
            opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        )
        #expect(
            authorization.fieldValue == """
                Digest username="Mufasa", realm="http-auth@example.org", \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", \
                response="\(response)", algorithm=\(algorithm), \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, \
                cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
                """)
    }

    /// The expected values come from Python's hashlib with SHA-512/256.
    ///
    /// The RFC prints a truncated SHA-512 (488869…) as the hash of the user name, and a response
    /// that does not follow from its text.
    @Test("the example of RFC 7616 section 3.9.2 is reproduced with the hash function it names")
    func rfc7616UserHash() throws {
        let parameters = try Self.authorization(
            """
            realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDs0xtb7ow", userhash=true
            """,
            "J\u{E4}s\u{F8}n Doe", "Secret, or not?", target: "/doe.json",
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm"
        ).fieldValue.digestParameters
        #expect(
            parameters["username"]
                == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
        #expect(
            parameters["response"]
                == "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c")
        #expect(parameters["userhash"] == "true")
        #expect(parameters["algorithm"] == "SHA-512-256")
        #expect(parameters["username*"] == nil)
    }

    @Test("the examples of RFC 2617, and of RFC 2069 with its erratum, are reproduced")
    func older() throws {
        let challenge = """
            realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """
        let newer = try Self.authorization(
            "\(challenge), qop=\"auth,auth-int\"", "Mufasa", "Circle Of Life",
            clientNonce: "0a4f113b"
        ).fieldValue.digestParameters
        #expect(newer["response"] == "6629fae49393a05397450978507c4ef1")
        #expect(newer["algorithm"] == nil)
        let older = try Self.authorization(challenge, "Mufasa", "CircleOfLife")
            .fieldValue.digestParameters
        #expect(older["response"] == "1949323746fe6a43ef61f9606e7febea")
        #expect(older["qop"] == nil)
        #expect(older["nc"] == nil)
        #expect(older["cnonce"] == nil)
    }

    @Test(
        "a challenge with missing or unknown parameters is not answered (fault 75)",
        arguments: [
            "realm=a", "nonce=a", "abc==", "realm=a, nonce=b, algorithm=SHA-1",
            "realm=a, nonce=b, qop=\"x\"", "realm=a, nonce=b, algorithm=\"\"",
            "realm=a, nonce=b, algorithm=MD5-sess", "realm=a, nonce=b, algorithm=-sess, qop=auth",
        ]
    )
    func incomplete(challenge: String) throws {
        let offered = try #require(ChallengeParser.challenges(in: ["Digest \(challenge)"]).first)
        #expect(DigestChallenge(offered) == nil)
    }

    @Test("auth-int is chosen for a body in memory, or if it is the only offer")
    func qualities() throws {
        func quality(_ offered: String, _ body: AuthenticatedRequest.Body) throws -> String? {
            let challenge = "realm=a, nonce=b, qop=\"\(offered)\""
            return try Self.authorization(challenge, body: body).fieldValue.digestParameters["qop"]
        }
        let data = AuthenticatedRequest.Body.data(Data("x".utf8))
        #expect(try quality("auth,auth-int", .none) == "auth")
        #expect(try quality("auth,auth-int", data) == "auth-int")
        #expect(try quality("AUTH-INT,new, auth", .notInMemory) == "auth")
        #expect(try quality("auth-int", .none) == "auth-int")
        #expect(try quality("auth-int", data) == "auth-int")
        #expect(try quality("auth", data) == "auth")
        #expect(throws: AuthenticationError.Reason.bodyNotInMemory) {
            try quality("auth-int", .notInMemory)
        }
    }

    @Test("names are quoted, encoded or refused, so that they cannot inject header fields")
    func quoting() throws {
        let challenge = "realm=\"q\\\"\\\\, x=y\", nonce=\"n\\\"\", opaque=\"\", qop=auth"
        let value = try Self.authorization(challenge, "a\"b\\, uri=\"/x\"").fieldValue
        #expect(value.hasPrefix(#"Digest username="a\"b\\, uri=\"/x\"", realm="q\"\\, x=y", "#))
        #expect(value.contains(#"nonce="n\"""#))
        #expect(value.contains(#"opaque="""#))

        let parameters = try Self.parameters("realm=a, nonce=b, qop=auth", "Jäsøn 'Doe'")
        #expect(parameters["username"] == nil)
        #expect(
            try Self.authorization("realm=a, nonce=b", "Jäsøn 'Doe'").fieldValue
                .contains("username*=UTF-8''J%C3%A4s%C3%B8n%20%27Doe%27,"))
        for user in ["a\r\nX: y", "a\u{0}", "\u{7F}"] {
            #expect(throws: AuthenticationError.Reason.self) {
                try Self.parameters("realm=a, nonce=b", user)
            }
        }
    }

    @Test("the server's proof is checked if present (RFC 7616 section 3.5)")
    func serverProof() throws {
        let authorization = try Self.authorization(
            "realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", qop=auth",
            "Mufasa", "Circle Of Life", clientNonce: "0a4f113b"
        )
        let proof = Self.proof
        let expectation = authorization.expectation
        try expectation.check([:])
        try expectation.check(["rspauth": proof, "qop": "auth", "cnonce": "0a4f113b"])
        try expectation.check(["rspauth": proof.uppercased(), "nc": "00000001"])
        for wrong in [
            ["rspauth": String(proof.dropLast())], ["rspauth": ""], ["cnonce": "0a4f113c"],
            ["nc": "00000002"], ["rspauth": proof, "qop": "auth-int"],
        ] {
            #expect(throws: AuthenticationError.Reason.self, "\(wrong)") {
                try expectation.check(wrong)
            }
        }
    }

    /// From Python's hashlib.
    private static let proof = "376602cfd2f4e8e5e78b948a85263e85"
}
