import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("HTTPRequestSerializer")
struct HTTPRequestSerializerTests {
    let form = "application/x-www-form-urlencoded"

    @Test("parameters of GET, HEAD and DELETE are in the query")
    func query() throws {
        for method in ["GET", "HEAD", "DELETE", "get"] {
            let result = try HTTPRequestSerializer().serialize(
                request(method), parameters: ["b": 2, "a": "x y"])
            #expect(result.url?.absoluteString == "http://h/p?a=x%20y&b=2")
            #expect(result.httpBody == nil)
            #expect(result.value(forHTTPHeaderField: "Content-Type") == nil)
        }
    }

    @Test("an existing query is continued with &")
    func continuedQuery() throws {
        #expect(try url(["a": 1], "http://h/p?x=%20") == "http://h/p?x=%20&a=1")
        #expect(try url(["a": 1], "http://h/p?x&") == "http://h/p?x&a=1")
        #expect(try url(["a": 1], "http://h/p?") == "http://h/p?a=1")
    }

    @Test("nil and empty parameters, and those without output, add no ?")
    func emptyQuery() throws {
        #expect(try url(nil) == "http://h/p")
        #expect(try url([:]) == "http://h/p")
        #expect(try url(["a": [Int](), "b": [String: Int]()]) == "http://h/p")
    }

    @Test("the query is inserted before the fragment")
    func fragment() throws {
        #expect(try url(["a": 1], "http://h/p#f?g") == "http://h/p?a=1#f?g")
        #expect(try url(["a": 1], "http://h/p?x#f") == "http://h/p?x&a=1#f")
        #expect(try url(["a": 1], "http://h#") == "http://h?a=1#")
        #expect(try url([:], "http://h/p#f") == "http://h/p#f")
    }

    @Test("a URL relative to another is resolved before the query is appended")
    func relativeURL() throws {
        let base = URL(string: "http://h/v1/")
        let url = try #require(URL(string: "users", relativeTo: base))
        let result = try HTTPRequestSerializer().serialize(
            URLRequest(url: url), parameters: ["a": 1])
        #expect(result.url?.absoluteString == "http://h/v1/users?a=1")
    }

    @Test("a request without a URL is an error if there is a query")
    func withoutURL() throws {
        var request = try request()
        request.url = nil
        #expect(throws: RequestSerializationError.self) {
            try HTTPRequestSerializer().serialize(request, parameters: ["a": 1])
        }
        #expect(try HTTPRequestSerializer().serialize(request, parameters: nil).url == nil)
    }

    @Test("parameters of other methods are a form in the body")
    func formBody() throws {
        for method in ["POST", "PUT", "PATCH", "OPTIONS"] {
            let result = try HTTPRequestSerializer().serialize(
                request(method), parameters: ["b": 2, "a": "x y"])
            #expect(result.url?.absoluteString == "http://h/p")
            #expect(result.httpBody == Data("a=x%20y&b=2".utf8))
            #expect(result.value(forHTTPHeaderField: "content-type") == form)
        }
    }

    @Test("without parameters a body method sends an empty form")
    func emptyForm() throws {
        for parameters in [nil, [:]] as [Parameters?] {
            let result = try HTTPRequestSerializer().serialize(
                request("POST"), parameters: parameters)
            #expect(result.httpBody == Data())
            #expect(result.value(forHTTPHeaderField: "Content-Type") == form)
        }
    }

    @Test("without parameters a request keeps its body or stream")
    func bodyStays() throws {
        var request = try request("POST")
        request.httpBody = Data("raw".utf8)
        let result = try HTTPRequestSerializer().serialize(request, parameters: nil)
        #expect(result.httpBody == Data("raw".utf8))
        #expect(result.value(forHTTPHeaderField: "Content-Type") == nil)
        request.httpBodyStream = InputStream(data: Data("raw".utf8))
        let streamed = try HTTPRequestSerializer().serialize(request, parameters: nil)
        #expect(streamed.httpBodyStream != nil)
    }

    @Test("an existing Content-Type is kept")
    func contentType() throws {
        var typed = try request("POST")
        typed.setValue("text/x", forHTTPHeaderField: "content-type")
        let first = try HTTPRequestSerializer().serialize(typed, parameters: ["a": 1])
        #expect(first.value(forHTTPHeaderField: "Content-Type") == "text/x")
        let second = try HTTPRequestSerializer(headers: ["CONTENT-TYPE": "text/y"])
            .serialize(request("POST"), parameters: ["a": 1])
        #expect(second.value(forHTTPHeaderField: "Content-Type") == "text/y")
        #expect(second.httpBody == Data("a=1".utf8))
    }

    @Test("the methods with a query can be changed, in any case")
    func methods() throws {
        var serializer = HTTPRequestSerializer()
        serializer.httpMethodsEncodingParametersInURI.remove("DELETE")
        serializer.httpMethodsEncodingParametersInURI.insert("search")
        let deleted = try serializer.serialize(request("DELETE"), parameters: ["a": 1])
        #expect(deleted.httpBody == Data("a=1".utf8))
        let searched = try serializer.serialize(request("SEARCH"), parameters: ["a": 1])
        #expect(searched.url?.query == "a=1")
    }
}
