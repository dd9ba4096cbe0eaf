import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetChain

@Suite("Values that convert to requests")
struct URLConvertibleTests {
    @Test(
        "an invalid URL string is refused, and the error contains it",
        arguments: ["", "http://[bad", "http://a b/", "http://a|b/x"])
    func refused(text: String) {
        #expect {
            try text.asURL()
        } throws: { error in
            guard case .invalidRequest(let reason, let context)? = error as? BluebonnetError else {
                return false
            }
            return context.underlying as? URLConversionError == URLConversionError(text: text)
                && (text.isEmpty ? reason.contains("empty") : reason.contains("URL"))
        }
    }

    @Test("strings, URLs and components convert to URLs, absolute and relative")
    func converted() throws {
        #expect(try "https://h/a?b=%20#c".asURL().absoluteString == "https://h/a?b=%20#c")
        #expect(try "users/7".asURL().relativeString == "users/7")
        let url = try #require(URL(string: "https://h/"))
        #expect(try url.asURL() == url)
        var components = URLComponents()
        (components.scheme, components.host, components.path) = ("https", "h", "/a")
        #expect(try components.asURL().absoluteString == "https://h/a")
        #expect(throws: BluebonnetError.self) { try URLComponents().asURL() }
    }

    @Test("a URL error names the part that is invalid")
    func reasons() {
        #expect(URLConversionError(text: "//").description.contains("a scheme and a host"))
        #expect(URLConversionError(text: "http://a b/").description.contains("host"))
    }

    @Test("a URL error contains neither the password nor the query")
    func secrets() {
        let error = URLConversionError(text: "http://u:secret@[bad/?token=secret")
        #expect(!"\(error)".contains("secret"))
    }

    @Test("a request is created from URL, method and headers, which are its properties")
    func request() throws {
        var request = try URLRequest(
            url: "https://h/", method: .patch, headers: ["X-A": "1", "Accept": "a/b"])
        #expect(request.method == .patch)
        #expect(request.headers == ["Accept": "a/b", "X-A": "1"])
        request.method = .query
        #expect(request.httpMethod == "QUERY")
        request.headers.update(.authorization(bearerToken: "t"))
        request.headers["x-a"] = nil
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
        #expect(request.allHTTPHeaderFields?.count == 2)
        request.headers = [HTTPHeader(name: "A", value: "1"), .init(name: "B", value: "2")]
        #expect(request.allHTTPHeaderFields == ["A": "1", "B": "2"])
        #expect(try request.asURLRequest() == request)
        #expect(request.urlRequest == request)
    }

    @Test("invalid header fields are an error")
    func badField() {
        #expect(throws: RequestSerializationError.self) {
            try URLRequest(url: "https://h/", method: .get, headers: ["X": "a\r\nY: b"])
        }
    }

    @Test("a convertible that throws has a nil request")
    func noRequest() {
        struct Refusing: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest { throw URLError(.badURL) }
        }
        #expect(Refusing().urlRequest == nil)
    }

    @Test("Foundation's responses have their headers sorted by name")
    func response() throws {
        let url = try #require(URL(string: "https://h/"))
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: ["X-B": "2", "X-A": "1"]))
        #expect(response.headers == ["X-A": "1", "X-B": "2"])
    }

    @Test("every HTTP method has a constant")
    func methods() {
        let methods: [HTTPMethod] = [
            .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
        ]
        #expect(
            methods.map(\.rawValue) == [
                "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY",
                "TRACE",
            ])
    }
}
