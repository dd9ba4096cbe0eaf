import Bluebonnet
import BluebonnetEcosystem
import BluebonnetTesting
import Foundation
import HTTPTypes
import Testing

@Suite("HTTP types", .timeLimit(.minutes(1)))
struct HTTPTypesTests {
    private func made(
        _ method: HTTPRequest.Method = .get, _ scheme: String? = "https",
        _ authority: String? = "api.test", _ path: String? = "/"
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
    }

    @Test("a request keeps its method, URL and fields there and back")
    func request() throws {
        var request = made(.patch, "https", "[::1]:8443", "/a%20b/c?d=e&f=%23")
        request.headerFields = [.accept: "text/plain", try #require(.init("X-NC-Account")): "a, b"]
        let urlRequest = try URLRequest(request)
        #expect(urlRequest.url?.absoluteString == "https://[::1]:8443/a%20b/c?d=e&f=%23")
        #expect(urlRequest.httpMethod == "PATCH")
        #expect(urlRequest.headers == ["Accept": "text/plain", "X-NC-Account": "a, b"])
        #expect(try HTTPRequest(urlRequest) == request)
    }

    @Test("a URL's user, password and fragment do not become part of a request")
    func user() throws {
        let url = try #require(URL(string: "http://user:pass@api.test?a=b#c"))
        let request = try HTTPRequest(URLRequest(url: url))
        #expect(request.scheme == "http" && request.authority == "api.test")
        #expect(request.path == "/?a=b")
    }

    @Test("several cookies are joined by semicolons, and other values by commas")
    func cookies() throws {
        var request = made()
        request.headerFields.append(HTTPField(name: .cookie, value: "a=1"))
        request.headerFields.append(HTTPField(name: .cookie, value: "b=2"))
        request.headerFields.append(HTTPField(name: .accept, value: "a/b"))
        request.headerFields.append(HTTPField(name: .accept, value: "c/d"))
        let urlRequest = try URLRequest(request)
        #expect(urlRequest.headers["Cookie"] == "a=1; b=2")
        let accepted = urlRequest.headers["Accept"]?.filter { $0 != " " }
        #expect(accepted == "a/b,c/d")
    }

    @Test(
        "a request that has no URL is refused",
        arguments: [
            (.get, nil, "api.test", "/"), (.get, "https", nil, "/"), (.get, "https", "", "/"),
            (.get, "", "api.test", "/"), (.get, "https", ":80", "/"),
            (.get, "https", "user@api.test", "/"), (.get, "https", "api.test/a", "/"),
            (.get, "https", "api.test\\a", "/"), (.get, "https", "api.test", "a"),
            (.get, "https", "api.test", "*"), (.get, "https", "api.test", "/a#b"),
            (.get, "https", "api.test", "/a b"), (.get, "https://evil.test", "api.test", "/"),
            (.connect, nil, "api.test:443", nil), (.connect, "https", "api.test", "/"),
        ] as [(HTTPRequest.Method, String?, String?, String?)])
    func refused(
        method: HTTPRequest.Method, scheme: String?, authority: String?, path: String?
    ) async {
        let request = made(method, scheme, authority, path)
        let stub = StubTransport()
        do throws(BluebonnetError) {
            _ = try await SessionManager(transport: stub).send(request)
            Issue.record("the request was sent to \(stub.requests)")
        } catch {
            guard case .invalidRequest(let reason, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.contains("HTTPRequest"))
        }
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "a URL request that is no HTTP request is refused",
        arguments: [
            "/a", "mailto:a@b", "https:///a", "a", "/login?next=https://b.test/x", "a#b://c.test",
        ])
    func noHTTPRequest(url: String) throws {
        let url = try #require(URL(string: url))
        #expect(throws: BluebonnetError.self) { try HTTPRequest(URLRequest(url: url)) }
    }

    @Test("fields keep their order, repetitions and spelling there and back")
    func fields() throws {
        let headers: HTTPHeaders = ["X-b": "1", "A": "2", "x-B": "3"]
        let fields = try HTTPFields(headers)
        #expect(fields.map(\.value) == ["1", "2", "3"])
        #expect(HTTPHeaders(fields).fields.map(\.name) == ["X-b", "A", "x-B"])
    }

    @Test(
        "a field that cannot be sent is refused, without its value in the error",
        arguments: [("a b", "s3cr3t"), ("", "s3cr3t"), ("a", "s3cr3t\r\nb: c"), ("a", "s3cr3t\0")])
    func badField(name: String, value: String) {
        let error = #expect(throws: RequestSerializationError.self) {
            try HTTPFields(HTTPHeaders([HTTPHeaders.Field(name: name, value: value)]))
        }
        #expect(error.map { "\($0)" }?.contains("s3cr3t") == false)
    }

    @Test("a response keeps its status and fields there and back")
    func response() throws {
        let url = try #require(URL(string: "https://api.test/"))
        let head = ResponseHead(
            statusCode: 418, headers: ["Set-Cookie": "a", "set-cookie": "b"], url: url)
        let response = try HTTPResponse(head)
        #expect(response.status.code == 418)
        #expect(response.headerFields[values: .setCookie] == ["a", "b"])
        #expect(ResponseHead(response, url: url).headers == head.headers)
        #expect(ResponseHead(response, url: url).statusCode == 418)
    }

    @Test("a control character in a field of a response does not cost the response")
    func oddField() throws {
        let url = try #require(URL(string: "https://a.test/"))
        let head = ResponseHead(
            statusCode: 200, headers: ["X-Note": "a\u{7f}b", "X-Other": "c"], url: url)
        let fields = try HTTPResponse(head).headerFields
        #expect(fields.map(\.name.rawName).sorted() == ["X-Note", "X-Other"])
        #expect(fields.first { $0.name.rawName == "X-Other" }?.value == "c")
    }

    @Test("a status that HTTP types cannot represent is an error", arguments: [1000, -1])
    func badStatus(code: Int) throws {
        let url = try #require(URL(string: "https://api.test/"))
        #expect(throws: BluebonnetError.self) {
            try HTTPResponse(ResponseHead(statusCode: code, url: url))
        }
    }

    @Test("a request is sent with its body, and a response of any status is returned with its own")
    func send() async throws {
        let stub = StubTransport()
        stub.on(.post, "/users", .text("full", status: 507))
        var request = made(.post, "https", "api.test", "/users")
        request.headerFields[.contentType] = "text/plain"
        let (response, body) = try await SessionManager(transport: stub).send(
            request, body: Data("new".utf8))
        #expect(response.status.code == 507 && String(decoding: body, as: UTF8.self) == "full")
        #expect(response.headerFields[.contentType] == "text/plain; charset=utf-8")
        let sent = try #require(stub.requests.first)
        #expect(sent.text == "new" && sent.headers["Content-Type"] == "text/plain")
    }
}
