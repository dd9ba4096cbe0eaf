import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("The encoded form of a failure")
struct FailureCodingTests {
    private static let fault: Exchange.Failure.CertificateFault = .init(
        check: .hostName,
        host: "example.com:443",
        presentedChain: [Data([0x30, 0x82, 0xFF]), Data([0x30])]
    )

    /// Changes of each property to a value other than the default.
    private static let changes: [String: @Sendable (inout Exchange.Failure) -> Void] = [
        "code": { $0.code = .serverCertificateUntrusted },
        "message": { $0.message = "it is for \"others\"" },
        "curlCode": { $0.curlCode = 60 },
        "systemErrorNumber": { $0.systemErrorNumber = 104 },
        "needsNewBodyStream": { $0.needsNewBodyStream = true },
        "isResendable": { $0.isResendable = true },
        "timeout": { $0.timeout = .idle },
        "limit": { $0.limit = .headSize },
        "proxyStatus": { $0.proxyStatus = 407 },
        "proxyFields": {
            $0.proxyFields = [.init(name: "Proxy-Authenticate", value: "Basic realm=\"a\"")]
        },
        "denial": {
            $0.denial = AddressGuard.Denial(
                rule: .privateNetwork, host: "intern.example", port: 8080, address: "10.0.0.1")
        },
        "certificateFault": { $0.certificateFault = fault },
    ]

    private static let plain = Exchange.Failure(.timedOut, message: "too late")

    private static var full: Exchange.Failure {
        changes.values.reduce(into: plain) { failure, change in change(&failure) }
    }

    private func roundTrip(_ failure: Exchange.Failure) throws -> Exchange.Failure {
        try JSONDecoder().decode(Exchange.Failure.self, from: JSONEncoder().encode(failure))
    }

    private func decode(_ text: String) throws -> Exchange.Failure {
        try JSONDecoder().decode(Exchange.Failure.self, from: Data(text.utf8))
    }

    private func text(_ failure: Exchange.Failure) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try String(decoding: encoder.encode(failure), as: UTF8.self)
    }

    @Test("every property survives, alone and with the others", arguments: changes.keys.sorted())
    func properties(name: String) throws {
        let change = try #require(Self.changes[name])
        var failure = Self.plain
        change(&failure)
        #expect(failure != Self.plain)
        #expect(try roundTrip(failure) == failure)
        #expect(try roundTrip(Self.full) == Self.full)
    }

    @Test("the keys are the properties' names, and nil has no key")
    func keys() throws {
        func keys(_ failure: Exchange.Failure) throws -> [String] {
            let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(failure))
            return try #require(object as? [String: Any]).keys.sorted()
        }
        #expect(try keys(Self.full) == Self.changes.keys.sorted())
        #expect(try keys(Self.plain) == ["code", "isResendable", "message", "needsNewBodyStream"])
    }

    @Test("the encoded text has not changed")
    func text() throws {
        #expect(
            try text(Self.full) == """
                {
                  "certificateFault" : {
                    "check" : "hostName",
                    "host" : "example.com:443",
                    "presentedChain" : [
                      "MIL/",
                      "MA=="
                    ]
                  },
                  "code" : -1202,
                  "curlCode" : 60,
                  "denial" : {
                    "address" : "10.0.0.1",
                    "host" : "intern.example",
                    "port" : 8080,
                    "rule" : "privateNetwork"
                  },
                  "isResendable" : true,
                  "limit" : "headSize",
                  "message" : "it is for \\"others\\"",
                  "needsNewBodyStream" : true,
                  "proxyFields" : [
                    {
                      "name" : "Proxy-Authenticate",
                      "value" : "Basic realm=\\"a\\""
                    }
                  ],
                  "proxyStatus" : 407,
                  "systemErrorNumber" : 104,
                  "timeout" : "idle"
                }
                """)
    }

    @Test("a missing key leaves its property at the default, and unknown keys are ignored")
    func missingKeys() throws {
        #expect(try decode(#"{"code":-1001,"message":"too late","later":{}}"#) == Self.plain)
        let failure = try decode(
            """
            {"code": -1202, "message": "",
             "certificateFault": {"check": "pin", "host": "a:443"},
             "denial": {"rule": "unixSocket", "host": "a", "port": 80}}
            """)
        #expect(failure.certificateFault == .init(check: .pin, host: "a:443"))
        #expect(failure.denial?.rule == .unixSocket && failure.denial?.address == nil)
    }

    @Test(
        "anything but a failure is a decoding error",
        arguments: [
            "{}", #"{"code":-1}"#, #"{"message":"a"}"#, #"{"code":7,"message":"a"}"#,
            #"{"code":-1,"message":"a","timeout":"unheard"}"#,
            """
            {"code":-1,"message":"a",
             "certificateFault":{"check":"pin","host":"a","presentedChain":["%"]}}
            """,
        ])
    func malformed(text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }

    @Test("a trust question is not encoded")
    func question() throws {
        var fault = Self.fault
        fault.question = TrustQuestion(
            server: fault.host, verdict: .accepted, presentedChain: fault.presentedChain)
        var failure = Self.plain
        failure.certificateFault = fault
        #expect(fault.question != nil)
        #expect(try roundTrip(failure).certificateFault == Self.fault)
    }

    @Test("the names of limits, timeouts and checks have not changed")
    func names() throws {
        for limit in Self.limits {
            #expect(try roundTrip(.init(.unknown, message: "", limit: limit)).limit == limit)
        }
        #expect(
            Self.limits.map(\.rawValue) == [
                "bodySize", "encodedBodySize", "expansionRatio", "headSize", "fieldCount",
                "trailerSize", "trailerFieldCount", "interimResponseCount", "contentCodingCount",
            ])
        let timeouts: [Exchange.Failure.Timeout] = [
            .connect, .head, .idle, .whole, .queue, .challenge,
        ]
        #expect(
            timeouts.map(\.rawValue) == ["connect", "head", "idle", "whole", "queue", "challenge"])
        let checks: [Exchange.Failure.CertificateFault.Check] = [
            .issuer, .expiry, .start, .hostName, .pin, .challenge, .revocation, .other,
        ]
        #expect(
            checks.map(\.rawValue) == [
                "issuer", "expiry", "start", "hostName", "pin", "challenge", "revocation", "other",
            ])
    }

    private static let limits: [Exchange.Failure.Limit] = [
        .bodySize, .encodedBodySize, .expansionRatio, .headSize, .fieldCount, .trailerSize,
        .trailerFieldCount, .interimResponseCount, .contentCodingCount,
    ]
}
