import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("JSONParameterEncoder")
struct JSONParameterEncoderTests {
    struct Login: Encodable, Sendable, Equatable, Decodable {
        var email = "a/b@c"
        var password = "p"
    }

    func body(
        _ value: some Encodable & Sendable, by encoder: some ParameterEncoder
    ) throws -> String? {
        try encoder.encode(value, into: request("POST")).httpBody.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("parameters become the body for every method, with a type unless one is set")
    func bodies() throws {
        for method in ["GET", "POST"] {
            var request = try request(method)
            let result = try JSONParameterEncoder.default.encode(Login(), into: request)
            let body = try #require(result.httpBody)
            #expect(try JSONDecoder().decode(Login.self, from: body) == Login())
            #expect(result.value(forHTTPHeaderField: "Content-Type") == "application/json")
            #expect(result.url == request.url)
            request.setValue("application/vnd.api+json", forHTTPHeaderField: "content-type")
            let typed = try JSONParameterEncoder.default.encode(Login(), into: request)
            #expect(typed.value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
        }
    }

    @Test("every encoder sorts the keys, and none escapes a slash")
    func text() throws {
        let expected = #"{"email":"a/b@c","password":"p"}"#
        #expect(try body(Login(), by: .json(encoder: JSONEncoder())) == expected)
        #expect(try body(Login(), by: .json) == expected)
        #expect(try body(Login(), by: JSONParameterEncoder.sortedKeys) == expected)
        #expect(
            try body(["a": "/"], by: JSONParameterEncoder.prettyPrinted) == "{\n  \"a\" : \"/\"\n}")
    }

    @Test("the settings of an encoder are copied, and later changes have no effect")
    func settings() throws {
        struct Everything: Encodable {
            static let key = CodingUserInfoKey(rawValue: "k")
            let someDate = Date(timeIntervalSince1970: 1)
            let someData = Data([1])
            let someNumber = Double.infinity

            enum Key: CodingKey { case someDate, someData, someNumber, someInfo }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(someDate, forKey: .someDate)
                try container.encode(someData, forKey: .someData)
                try container.encode(someNumber, forKey: .someNumber)
                let info = Self.key.flatMap { encoder.userInfo[$0] }
                try container.encode(info as? String, forKey: .someInfo)
            }
        }
        let json = JSONEncoder()
        json.outputFormatting = .sortedKeys
        json.dateEncodingStrategy = .secondsSince1970
        json.dataEncodingStrategy = .deferredToData
        json.keyEncodingStrategy = .convertToSnakeCase
        json.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "n")
        json.userInfo[try #require(Everything.key)] = "info"
        let encoder = JSONParameterEncoder(encoder: json)
        json.keyEncodingStrategy = .useDefaultKeys
        json.userInfo = [:]
        #expect(
            try body(Everything(), by: encoder)
                == #"{"some_data":[1],"some_date":1,"some_info":"info","some_number":"+"}"#)
    }

    @Test("an encoder of a subclass is used as it is")
    func subclass() throws {
        final class Fixed: JSONEncoder, @unchecked Sendable {
            override func encode<T: Encodable>(_ value: T) throws -> Data { Data("fixed".utf8) }
        }
        #expect(try body(Login(), by: JSONParameterEncoder(encoder: Fixed())) == "fixed")
    }

    @Test("an error of the encoder is kept, and the description shows no values")
    func failures() throws {
        struct Refused: Error {}
        struct Refusing: Encodable {
            let error: any Error & Sendable
            func encode(to encoder: any Encoder) throws { throw error }
        }
        let request = try request("POST")
        #expect {
            try JSONParameterEncoder.default.encode(
                ["a": Refusing(error: Refused())], into: request)
        } throws: { error in
            guard case ParameterEncodingError.jsonEncodingFailed(let inner) = error else {
                return false
            }
            return inner is Refused
        }
        #expect {
            try JSONParameterEncoder.default.encode(["rate": [1, Double.nan]], into: request)
        } throws: { error in
            guard case ParameterEncodingError.jsonEncodingFailed(let inner) = error else {
                return false
            }
            return inner is EncodingError && "\(error)".contains("rate")
        }
        let secret = EncodingError.invalidValue(
            "secret", .init(codingPath: [], debugDescription: "it will not"))
        #expect {
            try JSONParameterEncoder.default.encode(Refusing(error: secret), into: request)
        } throws: { error in
            "\(error)" == "the parameters cannot be written as JSON: it will not"
        }
    }

    @Test(
        "arrays, scalars and values that encode nothing are a body or an error, never a trap"
    )
    func roots() throws {
        #expect(try body([1, 2], by: .json) == "[1,2]")
        #expect(try body("x", by: .json) == "\"x\"")
        #expect(try body(Int??.some(nil), by: .json) == "null")
        struct EncodesNothing: Encodable {
            func encode(to encoder: any Encoder) throws {}
        }
        #expect(throws: ParameterEncodingError.self) { try body(EncodesNothing(), by: .json) }
    }

    @Test("an encoder works on many threads while the encoder it copied changes")
    func threads() async throws {
        let json = JSONEncoder()
        json.outputFormatting = .sortedKeys
        let encoder = JSONParameterEncoder(encoder: json)
        let expected = try body(Login(), by: encoder)
        await withTaskGroup(of: String??.self) { group in
            for _ in 0..<100 {
                group.addTask { try? body(Login(), by: encoder) }
            }
            for index in 0..<100 {
                json.outputFormatting = index.isMultiple(of: 2) ? .prettyPrinted : .sortedKeys
            }
            for await text in group { #expect(text == expected) }
        }
    }
}
