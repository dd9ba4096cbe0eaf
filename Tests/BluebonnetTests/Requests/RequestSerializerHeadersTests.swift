import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("RequestSerializer headers")
struct RequestSerializerHeadersTests {
    @Test("a header field is added only if the request lacks it, in any case")
    func missingOnly() throws {
        var request = try request("POST")
        request.setValue("mine", forHTTPHeaderField: "accept")
        for var serializer in everySerializer {
            serializer.headers = ["Accept": "other", "X-A": "1"]
            let result = try serializer.serialize(request, parameters: ["a": 1])
            #expect(result.value(forHTTPHeaderField: "Accept") == "mine")
            #expect(result.value(forHTTPHeaderField: "x-a") == "1")
        }
    }

    @Test("the values of a repeated header field are joined by commas")
    func repeats() throws {
        var headers: HTTPHeaders = ["Accept": "a/b"]
        headers.add("accept", "c/d")
        let result = try HTTPRequestSerializer(headers: headers)
            .serialize(request(), parameters: nil)
        #expect(result.value(forHTTPHeaderField: "Accept") == "a/b, c/d")
    }

    @Test("a field is added and replaced in the caller's spelling")
    func spelling() throws {
        var request = try request("POST")
        try request.addMissing(["X-NC-Account": "1", "dnt": "1"])
        #expect(request.allHTTPHeaderFields == ["X-NC-Account": "1", "dnt": "1"])
        try request.replaceFields(with: ["DNT": "2", "x-nc-account": "2"])
        #expect(request.allHTTPHeaderFields == ["x-nc-account": "2", "DNT": "2"])
        request.setField("x-NC-account", to: "3")
        request.setField("Dnt", to: nil)
        #expect(request.allHTTPHeaderFields == ["x-NC-account": "3"])
    }

    @Test("one field replaces every spelling that the request's own dictionary has of its name")
    func spellings() throws {
        for name in ["X-A", "x-a", "x-A"] {
            var request = try request("POST")
            request.allHTTPHeaderFields = ["X-A": "1", "x-a": "2", "X-B": "3"]
            request.setField(name, to: "4")
            #expect(request.allHTTPHeaderFields == [name: "4", "X-B": "3"])
            request.setField(name, to: nil)
            #expect(request.allHTTPHeaderFields == ["X-B": "3"])
        }
    }

    @Test("a request without header fields gets none from an empty list")
    func none() throws {
        var request = try request()
        try request.addMissing([:])
        try request.replaceFields(with: [:])
        request.setField("X-A", to: nil)
        request.removeFields { _, _ in true }
        request.headers = [:]
        #expect(request.allHTTPHeaderFields == nil)
    }

    @Test("an invalid header field is an error without its value")
    func invalid() throws {
        let request = try request()
        let invalid: [HTTPHeaders] = [
            ["": "secret"], ["A b": "secret"], ["é": "secret"], ["A:": "secret"],
            ["A": "secret\r\nB: 1"], ["A": "secret\u{0}"], ["A\n": "secret"],
        ]
        for headers in invalid {
            let error = #expect(throws: RequestSerializationError.self) {
                try HTTPRequestSerializer(headers: headers).serialize(request, parameters: nil)
            }
            #expect(error?.keyPath == "")
            #expect(error?.reason.contains("secret") == false)
        }
    }

    @Test("user name and password are sent as Basic, in UTF-8")
    func basic() {
        var serializer: any RequestSerializer = JSONRequestSerializer()
        serializer.setAuthorization(username: "Aladdin", password: "open sesame")
        #expect(serializer.headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        serializer.setAuthorization(username: "test", password: "123£")
        #expect(serializer.headers.values(of: "authorization") == ["Basic dGVzdDoxMjPCow=="])
    }

    @Test("a bearer token replaces an existing field, and clearing removes it in any case")
    func bearerAndClear() {
        var serializer = HTTPRequestSerializer(headers: ["authorization": "Basic x"])
        serializer.setAuthorization(bearerToken: "t0k")
        #expect(serializer.headers.values(of: "Authorization") == ["Bearer t0k"])
        serializer.clearAuthorization()
        #expect(serializer.headers == [:])
    }
}
