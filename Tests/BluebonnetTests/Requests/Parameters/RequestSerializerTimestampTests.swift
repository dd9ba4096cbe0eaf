import BluebonnetChain
import Foundation
import Testing

import Bluebonnet

@Suite("RequestSerializer timestamps")
struct RequestSerializerTimestampTests {
    private func text(_ seconds: Double) throws -> String? {
        let date = Date(timeIntervalSince1970: seconds)
        return try body(["d": [date]], by: JSONRequestSerializer())
    }

    /// Reads a date as a response with `.iso8601`.
    private func read(_ text: String) throws -> Date {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let body = Data(#"{"d":["\#(text)"]}"#.utf8)
        let serializer = DecodableResponseSerializer([String: [Date]].self, decoder: decoder)
        return try #require(try serializer.serialize(body, head: nil)["d"]?.first)
    }

    @Test("the first and last second, leap days and years before 1970 are correct")
    func knownDates() throws {
        let known: [(Double, String)] = [
            (-62_167_392_000, "0000-01-01T00:00:00Z"), (-62_135_769_600, "0001-01-01T00:00:00Z"),
            (-14_825_894_400, "1500-02-29T00:00:00Z"), (-12_219_292_801, "1582-10-04T23:59:59Z"),
            (-12_219_292_800, "1582-10-15T00:00:00Z"), (253_402_300_799.9, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "10000-01-01T00:00:00Z"),
            (15_928_182_143_999, "506713-12-31T23:59:59Z"),
            (0, "1970-01-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (-2_203_891_200, "1900-03-01T00:00:00Z"),
        ]
        for (seconds, text) in known {
            #expect(try self.text(seconds) == #"{"d":["\#(text)"]}"#)
            #expect(try read(text) == Date(timeIntervalSince1970: seconds.rounded(.down)))
        }
    }

    @Test("the output equals Foundation's for dates in 400 years")
    func likeFoundation() {
        for step in 0..<2_000 {
            let date = Date(timeIntervalSince1970: -6_000_000_000 + Double(step) * 6_311_433.7)
            #expect(TimestampText.text(of: date) == date.ISO8601Format())
        }
    }

    @Test("dates of all years are written like by JSONEncoder, and read back like by JSONDecoder")
    func everyYear() throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
        var random = SystemRandomNumberGenerator()
        for step in 0..<20_000 {
            let years: ClosedRange<Double> =
                step % 2 == 0 ? -62_167_392_000 ... -10_000_000_000 : -10_000_000_000...1.5e13
            let date = Date(timeIntervalSince1970: .random(in: years, using: &random))
            let sent = try JSONBodyEncoder().data(of: ["d": [date]])
            #expect(try sent == encoder.encode(["d": [date]]))
            let serializer = DecodableResponseSerializer([String: [Date]].self, decoder: decoder)
            let read = try serializer.serialize(sent, head: nil)
            #expect(try read == decoder.decode([String: [Date]].self, from: sent))
            #expect(
                read["d"]?.first?.timeIntervalSinceReferenceDate
                    == date.timeIntervalSinceReferenceDate.rounded(.down))
        }
    }

    @Test(
        "a date that can be read can be sent as the same text, in JSON, queries and forms",
        arguments: [
            "0001-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "0004-02-29T12:00:00Z",
            "1000-02-29T00:00:00Z", "1582-10-04T00:00:00Z", "9999-12-31T23:59:59Z",
            "12345-06-07T08:09:10Z",
        ])
    func roundTrip(text: String) throws {
        let date = try read(text)
        let parameters: Parameters = ["d": date]
        #expect(try body(parameters, by: JSONRequestSerializer()) == #"{"d":"\#(text)"}"#)
        let escaped = text.replacing(":", with: "%3A")
        #expect(try url(parameters)?.hasSuffix("?d=\(escaped)") == true)
        #expect(try body(parameters, by: HTTPRequestSerializer()) == "d=\(escaped)")
        let encoder = URLEncodedFormEncoder(dateEncoding: .iso8601)
        #expect(try form(["d": date], by: encoder) == "d=\(escaped)")
        var fractional = JSONRequestSerializer()
        fractional.dates = .iso8601WithFractionalSeconds
        let sent = try body(parameters, by: fractional)
        #expect(sent == #"{"d":"\#(text.dropLast()).000Z"}"#)
    }

    @Test("a moment just before a second belongs to the second before, like in JSONEncoder")
    func justBefore() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        for seconds in [-1e-9, -1e-8, -1e-7, 1e-9] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(try JSONBodyEncoder().data(of: ["d": date]) == encoder.encode(["d": date]))
        }
    }

    @Test("numbers of seconds and milliseconds read back as the same date, for every date")
    func numbers() throws {
        for seconds in [
            0, 0.25, -62_135_769_600, 1_772_000_000.1, 5_000_000_000.1, 1e13, 1e17, -1e200,
        ] {
            let date = Date(timeIntervalSince1970: seconds)
            for (style, strategy) in [
                (.secondsSince1970, .secondsSince1970),
                (.millisecondsSince1970, .millisecondsSince1970),
            ] as [(ParameterDateEncoding, JSONDecoder.DateDecodingStrategy)] {
                var encoder = JSONBodyEncoder()
                encoder.dates = style
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = strategy
                let sent = try encoder.data(of: ["d": date])
                let serializer = DecodableResponseSerializer([String: Date].self, decoder: decoder)
                #expect(try serializer.serialize(sent, head: nil) == ["d": date])
            }
        }
    }

    @Test("an XML property list has Gregorian dates, as PropertyListSerialization reads them")
    func propertyLists() throws {
        for seconds in [-62_135_596_800, -14_825_894_400, -12_219_292_801, 253_402_300_799]
            as [Double]
        {
            let date = Date(timeIntervalSince1970: seconds)
            let list =
                try PropertyListRequestSerializer()
                .serialize(request("POST"), parameters: ["d": date]).httpBody ?? Data()
            let read = try PropertyListSerialization.propertyList(from: list, format: nil)
            #expect((read as? [String: Any])?["d"] as? Date == date)
            let own = try PropertyListResponseSerializer().serialize(list, head: nil)
            #expect((own as? [String: any Sendable])?["d"] as? Date == date)
        }
    }
}
