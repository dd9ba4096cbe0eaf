import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("The text of JSONParameterEncoder")
struct JSONEncoderTextTests {
    private static func foundation() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    @Test("is that of a JSONEncoder for all formats that its settings can choose")
    func settings() throws {
        struct Order: Encodable, Sendable {
            let placedAt = Date(timeIntervalSinceReferenceDate: 0.25)
            let bytes = Data([0xFB, 0xFF])
            let ratio: Double
        }
        let changes: [(JSONEncoder) -> Void] = [
            { $0.dateEncodingStrategy = .iso8601 },
            { $0.dateEncodingStrategy = .secondsSince1970 },
            { $0.dateEncodingStrategy = .millisecondsSince1970 },
            { encoder in
                encoder.dateEncodingStrategy = .custom { date, encoder in
                    try "\(date.timeIntervalSince1970)".encode(to: encoder)
                }
            },
            { $0.dataEncodingStrategy = .deferredToData },
            { $0.keyEncodingStrategy = .convertToSnakeCase },
            { $0.outputFormatting.insert(.prettyPrinted) },
            {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "n")
            },
        ]
        let request = URLRequest(url: try #require(URL(string: "http://h.test/")))
        for change in [{ _ in }] + changes {
            for ratio in [1, 0.1, .infinity] {
                let encoder = Self.foundation()
                change(encoder)
                let expected = try? encoder.encode(Order(ratio: ratio))
                let parameters = JSONParameterEncoder(encoder: encoder)
                let body = try? parameters.encode(Order(ratio: ratio), into: request).httpBody
                #expect(body == expected)
            }
        }
    }
}
