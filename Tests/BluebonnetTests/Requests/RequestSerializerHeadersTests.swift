import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("RequestSerializer headers")
struct RequestSerializerHeadersTests {
    @Test("a header field is added only if the request lacks it, in any case (C13)")
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

    @Test("a repeated header field is added repeatedly")
    func repeats() throws {
        var headers: HTTPHeaders = ["Accept": "a/b"]
        headers.add("accept", "c/d")
        let result = try HTTPRequestSerializer(headers: headers)
            .serialize(request(), parameters: nil)
        #expect(result.value(forHTTPHeaderField: "Accept") == "a/b,c/d")
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

    @Test("a bearer token replaces an existing field, and clearing removes it in any case (C13)")
    func bearerAndClear() {
        var serializer = HTTPRequestSerializer(headers: ["authorization": "Basic x"])
        serializer.setAuthorization(bearerToken: "t0k")
        #expect(serializer.headers.values(of: "Authorization") == ["Bearer t0k"])
        serializer.clearAuthorization()
        #expect(serializer.headers == [:])
    }
}
