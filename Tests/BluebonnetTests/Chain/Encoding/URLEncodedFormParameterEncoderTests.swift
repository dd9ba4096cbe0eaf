import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetChain

@Suite("URLEncodedFormParameterEncoder")
struct URLEncodedFormParameterEncoderTests {
    /// Returns the URL with the encoded parameters of a value.
    func url(
        _ value: some Encodable & Sendable, in text: String,
        by encoder: URLEncodedFormParameterEncoder = .default
    ) throws -> String? {
        try encoder.encode(value, into: request("GET", text)).url?.absoluteString
    }

    @Test("nil leaves the request unchanged, for every encoder")
    func none() throws {
        let encoders: [any ParameterEncoder] = [
            URLEncodedFormParameterEncoder.default, JSONParameterEncoder.default,
        ]
        for encoder in encoders {
            for method in ["GET", "POST"] {
                var request = try request(method, "http://h/p?x=[1]&")
                request.httpBody = Data("x".utf8)
                #expect(try encoder.encode([String: Int]?.none, into: request) == request)
            }
            var nameless = try request()
            nameless.url = nil
            #expect(try encoder.encode(Int?.none, into: nameless) == nameless)
        }
    }

    @Test(
        "GET, HEAD and DELETE use the query, other methods a form, by default",
        arguments: ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH", "QUERY", "OPTIONS", "BREW"])
    func destinations(method: String) throws {
        let request = try request(method)
        let isQuery = ["GET", "HEAD", "DELETE"].contains(method)
        for (destination, isQuery) in [
            (URLEncodedFormParameterEncoder.Destination.methodDependent, isQuery),
            (.queryString, true), (.httpBody, false),
        ] {
            let encoder = URLEncodedFormParameterEncoder(destination: destination)
            let result = try encoder.encode(["a": "b c"], into: request)
            #expect(result.httpMethod == method)
            if isQuery {
                #expect(result.url?.absoluteString == "http://h/p?a=b%20c")
                #expect(result.httpBody == nil)
                #expect(result.value(forHTTPHeaderField: "Content-Type") == nil)
            } else {
                #expect(result.url == request.url)
                #expect(result.httpBody == Data("a=b%20c".utf8))
                #expect(
                    result.value(forHTTPHeaderField: "Content-Type")
                        == "application/x-www-form-urlencoded; charset=utf-8")
            }
        }
    }

    @Test(
        "a query is appended to the existing one, without empty segments",
        arguments: [
            ("http://h/p", "http://h/p?a=1"), ("http://h", "http://h?a=1"),
            ("http://h/p?", "http://h/p?a=1"), ("http://h/p?z=0", "http://h/p?z=0&a=1"),
            ("http://h/p?z=0&", "http://h/p?z=0&a=1"), ("http://h/p?&", "http://h/p?a=1"),
            ("http://h/p?&z&&y=", "http://h/p?z&y=&a=1"), ("http://h/p#f", "http://h/p?a=1#f"),
            ("http://h/p?z#f?g", "http://h/p?z&a=1#f?g"),
            ("http://h/p?z=/?", "http://h/p?z=/?&a=1"),
            ("http://h/p?hd=[1]", "http://h/p?hd=%5B1%5D&a=1"),
            ("http://h/p?q=%5B%C3%a9+!$'()*,;:@", "http://h/p?q=%5B%C3%a9+!$'()*,;:@&a=1"),
            ("p?z", "p?z&a=1"),
        ])
    func queries(text: String, expected: String) throws {
        #expect(try url(["a": 1], in: text) == expected)
    }

    @Test(
        "empty parameters leave the URL unchanged",
        arguments: [
            "http://h/p", "http://h/p?", "http://h/p?z=0", "http://h/p?z=0&", "http://h/p#f",
        ])
    func emptyQueries(text: String) throws {
        #expect(try url([String: Int](), in: text) == text)
        #expect(try url(Int??.some(nil), in: text) == text)
    }

    @Test("characters that a query cannot contain are escaped, and existing escapes stay")
    func repaired() {
        #expect(
            PercentEncoding.repaired(query: "a=%41&b=%4&c=%&d=%zz") == "a=%41&b=%254&c=%25&d=%25zz")
        #expect(
            PercentEncoding.repaired(query: "é[]{}|\\^`\"<> #")
                == "%C3%A9%5B%5D%7B%7D%7C%5C%5E%60%22%3C%3E%20%23")
        #expect(PercentEncoding.repaired(query: "") == "")
    }

    @Test("a query stays valid if the encoder does not escape # and %")
    func unescapedQuery() throws {
        let form = URLEncodedFormEncoder(allowedCharacters: CharacterSet(charactersIn: "a#%[é"))
        let encoder = URLEncodedFormParameterEncoder(encoder: form)
        #expect(
            try url(["a": "#%[a"], in: "http://h/#f", by: encoder) == "http://h/?a=%23%25%5Ba#f")
    }

    @Test("a relative URL is resolved when its query is added")
    func relative() throws {
        let base = try #require(URL(string: "http://h/a/"))
        let url = try #require(URL(string: "b", relativeTo: base))
        let result = try URLEncodedFormParameterEncoder.default.encode(
            ["c": 1], into: URLRequest(url: url))
        #expect(result.url?.absoluteString == "http://h/a/b?c=1")
    }

    @Test("empty parameters are an empty body with a content type unless one is set")
    func bodies() throws {
        var request = try request("POST")
        let empty = try URLEncodedFormParameterEncoder.default.encode(
            [String: Int](), into: request)
        #expect(empty.httpBody == Data())
        #expect(
            empty.value(forHTTPHeaderField: "content-type")
                == "application/x-www-form-urlencoded; charset=utf-8")
        request.setValue("text/x", forHTTPHeaderField: "content-type")
        request.httpBody = Data("former".utf8)
        let result = try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: request)
        #expect(result.allHTTPHeaderFields?.values.map { $0 } == ["text/x"])
        #expect(result.httpBody == Data("a=1".utf8))
    }

    @Test("a request without a URL or a method is refused for every destination")
    func missingComponents() throws {
        for destination in [
            URLEncodedFormParameterEncoder.Destination.methodDependent, .queryString, .httpBody,
        ] {
            let encoder = URLEncodedFormParameterEncoder(destination: destination)
            var nameless = try request("POST")
            nameless.url = nil
            #expect {
                try encoder.encode(["a": 1], into: nameless)
            } throws: { error in
                guard case ParameterEncoderError.missingRequiredComponent(.url) = error else {
                    return false
                }
                return "\(error)".contains("no URL")
            }
            let methodless = try request("")
            #expect {
                try encoder.encode(["a": 1], into: methodless)
            } throws: { error in
                guard
                    case ParameterEncoderError.missingRequiredComponent(
                        .httpMethod(rawValue: "")) = error
                else { return false }
                return "\(error)".contains("not a method")
            }
        }
    }

    @Test("an error of the encoder is kept, and the description shows no values")
    func failures() throws {
        for method in ["GET", "POST"] {
            let request = try request(method)
            #expect {
                try URLEncodedFormParameterEncoder.default.encode(["secret"], into: request)
            } throws: { error in
                guard case ParameterEncoderError.encoderFailed(let inner) = error else {
                    return false
                }
                return inner as? URLEncodedFormEncoder.Error == .invalidRootObject("an array")
                    && !"\(error)".contains("secret")
            }
            #expect {
                try URLEncodedFormParameterEncoder.default.encode(["a": Double.nan], into: request)
            } throws: { error in
                guard case ParameterEncoderError.encoderFailed(let inner) = error else {
                    return false
                }
                return (inner as? RequestSerializationError)?.keyPath == "a"
                    && "\(error)".contains("\"a\"")
            }
        }
    }

    @Test("encoders have static members and can be subclassed")
    func factories() throws {
        func encoded(_ encoder: some ParameterEncoder, _ method: String = "GET") throws
            -> URLRequest
        {
            try encoder.encode(["a b": true], into: request(method))
        }
        #expect(try encoded(.urlEncodedForm).url?.query == "a%20b=1")
        let form = URLEncodedFormEncoder(boolEncoding: .literal, spaceEncoding: .plusReplaced)
        #expect(
            try encoded(.urlEncodedForm(encoder: form, destination: .httpBody)).httpBody
                == Data("a+b=true".utf8))
        #expect(try encoded(.urlEncodedForm(destination: .queryString), "PUT").httpBody == nil)
        #expect(URLEncodedFormParameterEncoder.default.destination == .methodDependent)

        final class Signing: URLEncodedFormParameterEncoder, @unchecked Sendable {
            override func encode<Parameters: Encodable & Sendable>(
                _ parameters: Parameters?, into request: URLRequest
            ) throws -> URLRequest {
                var request = try super.encode(parameters, into: request)
                request.setValue("1", forHTTPHeaderField: "X-Signed")
                return request
            }
        }
        #expect(try encoded(Signing()).value(forHTTPHeaderField: "X-Signed") == "1")
    }

    @Test("a router encodes the parameters of its requests")
    func router() throws {
        enum Router: URLRequestConvertible {
            case users(page: Int)
            func asURLRequest() throws -> URLRequest {
                let base = try "https://api.example.com".asURL()
                switch self {
                case .users(let page):
                    return try URLEncodedFormParameterEncoder.default.encode(
                        ["page": page],
                        into: URLRequest(
                            url: base.appendingPathComponent("users"), method: .get))
                }
            }
        }
        #expect(
            try Router.users(page: 2).asURLRequest().url?.absoluteString
                == "https://api.example.com/users?page=2")
    }
}
