import BluebonnetTransport
import Foundation
import Testing

@Suite("The encoded form of metrics")
struct MetricsCodingTests {
    /// Changes of each property to a value other than the default.
    private static let changes: [String: @Sendable (inout Exchange.Metrics) -> Void] = [
        "startDate": { $0.startDate = Date(timeIntervalSinceReferenceDate: 785_000_000.125) },
        "queueDuration": { $0.queueDuration = 0.5 },
        "nameLookupDuration": { $0.nameLookupDuration = 0.001 },
        "connectDuration": { $0.connectDuration = 0.002 },
        "tlsDuration": { $0.tlsDuration = 0.25 },
        "requestStartDuration": { $0.requestStartDuration = 0.003 },
        "requestEndDuration": { $0.requestEndDuration = 0.004 },
        "firstByteDuration": { $0.firstByteDuration = 0.1 },
        "headDuration": { $0.headDuration = 0.75 },
        "totalDuration": { $0.totalDuration = 1.5 },
        "isConnectionReused": { $0.isConnectionReused = true },
        "protocolVersion": { $0.protocolVersion = "HTTP/2" },
        "remoteAddress": { $0.remoteAddress = "192.0.2.1" },
        "remotePort": { $0.remotePort = 443 },
        "localAddress": { $0.localAddress = "192.0.2.2" },
        "localPort": { $0.localPort = 50_000 },
        "tlsVersion": { $0.tlsVersion = "TLSv1.3" },
        "tlsCipherSuite": { $0.tlsCipherSuite = "TLS_AES_256_GCM_SHA384" },
        "requestHeaderBytes": { $0.requestHeaderBytes = 120 },
        "requestBodyBytes": { $0.requestBodyBytes = .max },
        "responseHeaderBytes": { $0.responseHeaderBytes = 300 },
        "responseBodyBytes": { $0.responseBodyBytes = 1000 },
        "decodedBodyBytes": { $0.decodedBodyBytes = 4000 },
        "resendCount": { $0.resendCount = 1 },
    ]

    private static var full: Exchange.Metrics {
        changes.values.reduce(into: Exchange.Metrics()) { metrics, change in change(&metrics) }
    }

    private func roundTrip(_ metrics: Exchange.Metrics) throws -> Exchange.Metrics {
        try JSONDecoder().decode(Exchange.Metrics.self, from: JSONEncoder().encode(metrics))
    }

    @Test("these tests cover every property")
    func completeness() {
        let names = Mirror(reflecting: Exchange.Metrics()).children.compactMap(\.label)
        #expect(names.sorted() == Self.changes.keys.sorted())
    }

    @Test("every property survives, alone and with the others", arguments: changes.keys.sorted())
    func properties(name: String) throws {
        let change = try #require(Self.changes[name])
        var metrics = Exchange.Metrics()
        change(&metrics)
        #expect(metrics != Exchange.Metrics())
        #expect(try roundTrip(metrics) == metrics)
        #expect(try roundTrip(Self.full) == Self.full)
    }

    @Test("a missing key leaves its property at the default, and unknown keys are ignored")
    func missingKeys() throws {
        func decode(_ text: String) throws -> Exchange.Metrics {
            try JSONDecoder().decode(Exchange.Metrics.self, from: Data(text.utf8))
        }
        #expect(try decode("{}") == Exchange.Metrics())
        var expected = Exchange.Metrics()
        expected.remotePort = 80
        expected.headDuration = 0.5
        #expect(try decode(#"{"headDuration":0.5,"remotePort":80,"later":[1]}"#) == expected)
    }

    @Test("the encoded text has not changed")
    func text() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        #expect(
            try String(decoding: encoder.encode(Self.full), as: UTF8.self) == """
                {
                  "connectDuration" : 0.002,
                  "decodedBodyBytes" : 4000,
                  "firstByteDuration" : 0.1,
                  "headDuration" : 0.75,
                  "isConnectionReused" : true,
                  "localAddress" : "192.0.2.2",
                  "localPort" : 50000,
                  "nameLookupDuration" : 0.001,
                  "protocolVersion" : "HTTP/2",
                  "queueDuration" : 0.5,
                  "remoteAddress" : "192.0.2.1",
                  "remotePort" : 443,
                  "requestBodyBytes" : 9223372036854775807,
                  "requestEndDuration" : 0.004,
                  "requestHeaderBytes" : 120,
                  "requestStartDuration" : 0.003,
                  "resendCount" : 1,
                  "responseBodyBytes" : 1000,
                  "responseHeaderBytes" : 300,
                  "startDate" : 785000000.125,
                  "tlsCipherSuite" : "TLS_AES_256_GCM_SHA384",
                  "tlsDuration" : 0.25,
                  "tlsVersion" : "TLSv1.3",
                  "totalDuration" : 1.5
                }
                """)
        let empty = try String(decoding: encoder.encode(Exchange.Metrics()), as: UTF8.self)
        for name in [
            "requestStartDuration", "requestEndDuration", "firstByteDuration", "headDuration",
        ] {
            #expect(!empty.contains(name))
        }
    }
}
