import Foundation
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Alamofire's members of HTTPHeaders")
struct HTTPHeadersMemberTests {
    @Test("an update replaces a field in place, with the new spelling")
    func update() {
        var headers: HTTPHeaders = ["A": "1", "b": "2", "c": "3", "B": "4"]
        headers.update(name: "B", value: "5")
        #expect(headers.map(\.description) == ["A: 1", "B: 5", "c: 3"])
        headers.update(.accept("x/y"))
        #expect(headers.map(\.description).last == "Accept: x/y")
    }

    @Test("a name that an array repeats gets its last value, in its first place")
    func arrayLiteral() {
        let headers: HTTPHeaders = [.accept("a"), .userAgent("u"), .accept("b")]
        #expect(headers.map(\.description) == ["Accept: b", "User-Agent: u"])
        let none: HTTPHeaders = []
        #expect(none.fields.isEmpty)
    }

    @Test("fields are found, removed and sorted by name, ignoring case")
    func members() {
        var headers: HTTPHeaders = ["b": "1", "C": "2", "A": "3", "B": "4"]
        #expect(headers.value(for: "c") == "2")
        #expect(headers.sorted().map(\.value) == ["3", "1", "4", "2"])
        headers.sort()
        #expect(headers.map(\.name) == ["A", "b", "B", "C"])
        #expect(headers.dictionary == ["A": "3", "b": "1, 4", "C": "2"])
        headers.remove(name: "B")
        #expect(headers.map(\.name) == ["A", "C"])
    }

    @Test("fields have factories, and credentials are encoded")
    func factories() {
        let headers: [HTTPHeader] = [
            .accept("1"), .acceptCharset("2"), .acceptEncoding("3"), .acceptLanguage("4"),
            .authorization("5"), .contentDisposition("6"), .contentEncoding("7"),
            .contentType("8"), .userAgent("9"), .websocketProtocol("10"),
        ]
        #expect(
            headers.map(\.name) == [
                "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Authorization",
                "Content-Disposition", "Content-Encoding", "Content-Type", "User-Agent",
                "Sec-WebSocket-Protocol",
            ])
        #expect(headers.map(\.value) == (1...10).map(String.init))
        let login = HTTPHeader.authorization(username: "Jürgen", password: "a:b")
        #expect(login.value == "Basic " + Data("Jürgen:a:b".utf8).base64EncodedString())
        #expect(HTTPHeader.authorization(bearerToken: "t").value == "Bearer t")
    }

    @Test("fields are a collection in their order")
    func collection() {
        let headers: HTTPHeaders = [.accept("1"), .userAgent("2")]
        #expect(headers.count == 2 && headers[1].value == "2" && headers.last?.name == "User-Agent")
        #expect(HTTPHeaders().isEmpty && headers.dropFirst().map(\.value) == ["2"])
    }

    @Test("the default fields equal the session's own defaults")
    func defaults() {
        #expect(HTTPHeaders.default == .sessionDefault)
        #expect(HTTPHeaders.default == [.defaultUserAgent, .defaultAcceptEncoding])
        let version = BluebonnetVersion.current
        #expect(HTTPHeader.defaultUserAgent == .userAgent("Bluebonnet/\(version)"))
        #expect(HTTPHeader.defaultAcceptEncoding == .acceptEncoding("gzip, br, zstd"))
        #expect(HTTPHeaders.default["Accept-Language"] == nil)
    }
}
