import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("URLEncoding")
struct URLEncodingTests {
    func query(_ parameters: Parameters, by encoding: URLEncoding = .default) throws -> String? {
        try encoding.encode(request(), with: parameters).url?.query
    }

    @Test("nil leaves the request unchanged, for every encoding")
    func none() throws {
        let encodings: [any ParameterEncoding] = [
            URLEncoding.default, URLEncoding.queryString, URLEncoding.httpBody,
            JSONEncoding.default, JSONEncoding.prettyPrinted,
            JSONEncoding(options: .fragmentsAllowed),
        ]
        for encoding in encodings {
            for method in ["GET", "POST"] {
                var request = try request(method, "http://h/p?x=[1]&")
                request.httpBody = Data("x".utf8)
                #expect(try encoding.encode(request, with: nil) == request)
            }
        }
    }

    @Test("any convertible becomes a request, and its error is rethrown")
    func convertibles() throws {
        struct Target: URLRequestConvertible {
            let url: String
            func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .get) }
        }
        let encodings: [any ParameterEncoding] = [URLEncoding.httpBody, JSONEncoding.default]
        for encoding in encodings {
            let result = try encoding.encode(Target(url: "http://h/"), with: ["a": 1])
            #expect(result.httpBody?.isEmpty == false)
            #expect(throws: BluebonnetError.self) {
                try encoding.encode(Target(url: "http://[bad"), with: ["a": 1])
            }
        }
    }

    @Test("a dictionary variable converts to parameters")
    func dictionary() throws {
        let dictionary: [String: any Sendable] = ["b": 1, "a": ["x", true] as [any Sendable]]
        #expect(try query(Parameters(dictionary)) == "a%5B%5D=x&a%5B%5D=1&b=1")
    }

    @Test(
        "GET, HEAD and DELETE use the query, other methods a form, by default",
        arguments: ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH", "QUERY"])
    func destinations(method: String) throws {
        let request = try request(method, "http://h/p?z=[0]#f")
        let isQuery = ["GET", "HEAD", "DELETE"].contains(method)
        for (encoding, isQuery) in [
            (URLEncoding.default, isQuery), (.queryString, true), (.httpBody, false),
        ] {
            let result = try encoding.encode(request, with: ["a": "b c"])
            if isQuery {
                #expect(result.url?.absoluteString == "http://h/p?z=%5B0%5D&a=b%20c#f")
                #expect(result.httpBody == nil)
            } else {
                #expect(result.url == request.url)
                #expect(result.httpBody == Data("a=b%20c".utf8))
                #expect(
                    result.value(forHTTPHeaderField: "Content-Type")
                        == "application/x-www-form-urlencoded; charset=utf-8")
            }
        }
    }

    @Test("empty parameters leave the URL unchanged, or are an empty body with a type")
    func empty() throws {
        for text in ["http://h/p", "http://h/p?", "http://h/p?z=0&"] {
            let result = try URLEncoding.default.encode(request("GET", text), with: [:])
            #expect(result.url?.absoluteString == text)
            let dropped = try URLEncoding.default.encode(request("GET", text), with: ["a": nil])
            #expect(dropped.url?.absoluteString == text)
        }
        let result = try URLEncoding.default.encode(request("POST"), with: [:])
        #expect(result.httpBody == Data())
        #expect(result.value(forHTTPHeaderField: "Content-Type")?.hasSuffix("utf-8") == true)
        var typed = try request("POST")
        typed.setValue("text/x", forHTTPHeaderField: "Content-Type")
        let kept = try URLEncoding.default.encode(typed, with: ["a": 1])
        #expect(kept.value(forHTTPHeaderField: "Content-Type") == "text/x")
    }

    @Test("arrays and booleans follow the encoding's options")
    func styles() throws {
        let parameters: Parameters = ["page": 1, "ids": [3, 1, 2], "draft": false]
        #expect(
            try query(parameters)?.removingPercentEncoding
                == "draft=0&ids[]=3&ids[]=1&ids[]=2&page=1")
        #expect(
            try query(
                parameters, by: URLEncoding(arrayEncoding: .noBrackets, boolEncoding: .literal))
                == "draft=false&ids=3&ids=1&ids=2&page=1")
        #expect(
            try query(parameters, by: URLEncoding(arrayEncoding: .indexInBrackets))?
                .removingPercentEncoding == "draft=0&ids[0]=3&ids[1]=1&ids[2]=2&page=1")
        let custom = URLEncoding(arrayEncoding: .custom { "\($0).\($1)" })
        #expect(try query(parameters, by: custom) == "draft=0&ids.0=3&ids.1=1&ids.2=2&page=1")
    }

    @Test(
        "keys are sorted at every level, whole numbers have no point, and null is omitted")
    func values() throws {
        let parameters: Parameters = [
            "z": ["b": 1.0, "a": 0.5, "c": ["y": 1, "x": 2] as Parameters] as Parameters,
            "n": NSNull(), "o": Int?.none, "l": [1, nil, 2], "t": "a+b&c",
        ]
        #expect(
            try query(parameters)
                == [
                    "l%5B%5D=1", "l%5B%5D=2", "t=a%2Bb%26c", "z%5Ba%5D=0.5", "z%5Bb%5D=1",
                    "z%5Bc%5D%5Bx%5D=2", "z%5Bc%5D%5By%5D=1",
                ].joined(separator: "&"))
    }

    @Test("invalid values are errors with their key path")
    func failures() throws {
        let request = try request()
        for value in [Double.nan, Unsupported(), nest(200)] as [any Sendable] {
            let error = #expect(throws: RequestSerializationError.self) {
                try URLEncoding.default.encode(request, with: ["a": ["b": value]])
            }
            #expect(error?.keyPath.hasPrefix("a.b") == true)
        }
    }

    @Test("a request without a URL is refused by every encoding")
    func missingURL() throws {
        var nameless = try request("POST")
        nameless.url = nil
        let copy = nameless
        func isRefused(_ error: any Error) -> Bool {
            guard case ParameterEncodingError.missingURL = error else { return false }
            return "\(error)".contains("no URL")
        }
        for encoding in [URLEncoding.queryString, .httpBody] {
            #expect {
                try encoding.encode(copy, with: ["a": 1])
            } throws: { isRefused($0) }
        }
        #expect {
            try JSONEncoding.default.encode(copy, with: ["a": 1])
        } throws: { isRefused($0) }
        #expect {
            try JSONParameterEncoder.default.encode(["a": 1], into: copy)
        } throws: { isRefused($0) }
    }

    @Test("a value has escaped components, or none if it cannot be encoded")
    func components() {
        func pairs(_ value: Any, by encoding: URLEncoding = .default) -> [String] {
            encoding.queryComponents(fromKey: "k y", value: value).map { "\($0.0) \($0.1)" }
        }
        #expect(pairs("a b") == ["k%20y a%20b"])
        #expect(pairs([1, 2]) == ["k%20y%5B%5D 1", "k%20y%5B%5D 2"])
        #expect(pairs(["b": 1, "a": [true]]) == ["k%20y%5Ba%5D%5B%5D 1", "k%20y%5Bb%5D 1"])
        #expect(pairs(true, by: URLEncoding(boolEncoding: .literal)) == ["k%20y true"])
        #expect(pairs([1], by: URLEncoding(arrayEncoding: .indexInBrackets)) == ["k%20y%5B0%5D 1"])
        #expect(pairs(NSNull()) == [])
        #expect(pairs(Double.nan) == [])
        #expect(pairs(Unsupported()) == [])
        #expect(URLEncoding.default.escape("a b/?é%") == "a%20b/?%C3%A9%25")
    }

    @Test("the encodings have static members")
    func factory() throws {
        func encoded(_ encoding: some ParameterEncoding) throws -> URLRequest {
            try encoding.encode(request("POST"), with: ["a": 1])
        }
        #expect(try encoded(.url).httpBody == Data("a=1".utf8))
        #expect(try encoded(.json).httpBody == Data(#"{"a":1}"#.utf8))
    }
}
