import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("JSONEncoding")
struct JSONEncodingTests {
    func text(_ request: URLRequest) -> String? {
        request.httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    func body(_ parameters: Parameters, by encoding: JSONEncoding = .default) throws -> String? {
        text(try encoding.encode(request("PUT"), with: parameters))
    }

    func body(object: Any?, by encoding: JSONEncoding = .default) throws -> String? {
        text(try encoding.encode(request("PUT"), withJSONObject: object))
    }

    @Test("parameters become the body, with a content type unless one is set")
    func bodies() throws {
        var request = try request("PUT")
        let parameters: Parameters = [
            "page": 1, "ids": [3, 1, 2], "draft": false, "u": "a/b", "n": nil,
        ]
        let result = try JSONEncoding.default.encode(request, with: parameters)
        #expect(text(result) == #"{"draft":false,"ids":[3,1,2],"n":null,"page":1,"u":"a/b"}"#)
        #expect(result.value(forHTTPHeaderField: "Content-Type") == "application/json")
        request.setValue("text/x", forHTTPHeaderField: "content-type")
        #expect(
            try JSONEncoding.default.encode(request, with: parameters)
                .value(forHTTPHeaderField: "Content-Type") == "text/x")
        #expect(try body([:]) == "{}")
    }

    @Test("the body can be indented")
    func prettyPrinted() throws {
        let expected = "{\n  \"a\": 1\n}"
        #expect(try body(["a": 1], by: .prettyPrinted) == expected)
        #expect(
            try body(["a": 1], by: JSONEncoding(options: [.prettyPrinted, .sortedKeys])) == expected
        )
        #expect(JSONEncoding.prettyPrinted.options == .prettyPrinted)
        #expect(JSONEncoding.default.options == [])
    }

    @Test("an object can be the body, and nil leaves the request unchanged")
    func objects() throws {
        #expect(
            try body(object: ["b": 1, "a": [true, NSNull()]] as [String: Any])
                == #"{"a":[true,null],"b":1}"#)
        #expect(try body(object: [1, "x"] as [Any]) == #"[1,"x"]"#)
        let read = try JSONSerialization.jsonObject(with: Data(#"{"a":[1.5,{"b":"c"}]}"#.utf8))
        #expect(try body(object: read) == #"{"a":[1.5,{"b":"c"}]}"#)
        let request = try request("PUT")
        #expect(try JSONEncoding.default.encode(request, withJSONObject: nil) == request)
        #expect(try JSONEncoding.default.encode(request) == request)
    }

    @Test("single values are a body only if fragments are allowed")
    func fragments() throws {
        let encoding = JSONEncoding(options: .fragmentsAllowed)
        #expect(try body(object: "a/b", by: encoding) == #""a/b""#)
        #expect(try body(object: NSNull(), by: encoding) == "null")
        #expect(try body(object: [1], by: encoding) == "[1]")
        #expect(throws: ParameterEncodingError.self) { try body(object: Double.nan, by: encoding) }
    }

    @Test("an invalid JSON object is refused with its key path")
    func invalid() throws {
        func isInvalid(_ error: any Error, at keyPath: String) -> Bool {
            guard case ParameterEncodingError.jsonEncodingFailed(let inner) = error,
                case JSONEncoding.Error.invalidJSONObject(let reason) = inner
            else { return false }
            return reason.keyPath == keyPath
                && "\(error)".contains(reason.reason)
        }
        for value in [Double.nan, Double.infinity, Unsupported(), Set([1])] as [any Sendable] {
            #expect {
                try body(["a": [value]])
            } throws: { isInvalid($0, at: "a[0]") }
            #expect {
                try body(object: ["a": [value]])
            } throws: { isInvalid($0, at: "a[0]") }
        }
        for object in ["x", 1, NSNull(), Int?.none as Any, Unsupported(), [1.5: "x"]] as [Any] {
            #expect {
                try body(object: object)
            } throws: { isInvalid($0, at: "") }
        }
        #expect(throws: ParameterEncodingError.self) { try body(object: nest(129)) }
        #expect(try body(object: nest(128))?.hasPrefix("[[") == true)
    }
}
