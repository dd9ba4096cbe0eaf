import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Building an exchange from a request", .timeLimit(.minutes(5)))
struct ExchangeBuilderTests {
    static func build(
        _ url: String = "http://a.test/",
        configuration: SessionConfiguration = .default,
        _ change: (inout URLRequest) -> Void = { _ in }
    ) throws -> Exchange {
        var request = URLRequest(url: try #require(URL(string: url)))
        change(&request)
        let builder = ExchangeBuilder(configuration: configuration)
        let message = try builder.message(of: request, to: request.url)
        return message.exchange(under: builder.terms(of: request), pool: Exchange.Pool())
    }

    @Test(
        "URLs that cannot be sent are refused with the reason",
        arguments: [
            ("a.test/x", "not absolute"), ("/x", "not absolute"), ("ftp://a.test/", "ftp"),
            ("file:///etc/passwd", "file"), ("mailto:a@b", "mailto"), ("http:a.test", "no host"),
            ("http:///x", "no host"), ("http://:80/", "no host"), ("http://?q", "no host"),
            ("http://user@a.test/", "user name"), ("http://u:p@a.test/", "user name"),
            ("http://@a.test/", "user name"),
        ]
    )
    func badURLs(url: String, part: String) throws {
        // If Foundation refuses it, the verb reports that.
        guard URL(string: url) != nil else { return }
        let error = try #require(throws: RequestSerializationError.self) { try Self.build(url) }
        #expect(error.reason.contains(part), "\(error)")
        #expect(!error.reason.contains(":p@"))
    }

    @Test("User-Agent and the decodable codings are sent by default")
    func defaultFields() throws {
        func value(_ name: String, _ change: (inout SessionConfiguration) -> Void) throws -> String?
        {
            var configuration = SessionConfiguration()
            change(&configuration)
            let exchange = try Self.build(configuration: configuration)
            return exchange.fields.first { $0.name == name }?.value
        }
        let codings = try #require(try value("Accept-Encoding") { _ in })
        #expect(codings == "gzip, br, zstd")
        // It does not reveal the release of the system.
        let version = BluebonnetVersion.current
        #expect(try value("User-Agent") { _ in } == "Bluebonnet/\(version)")
        #expect(try value("Accept-Encoding") { $0.decodesContent = false } == nil)
        #expect(try value("User-Agent") { $0.decodesContent = false }?.isEmpty == false)
        let own = try value("Accept-Encoding") {
            $0.decodesContent = false
            $0.additionalHeaders["Accept-Encoding"] = "gzip"
        }
        #expect(own == "gzip")
    }

    @Test("requests share their terms unless one has its own timeout")
    func terms() throws {
        var configuration = SessionConfiguration()
        configuration.timeouts.head = 30
        let builder = ExchangeBuilder(configuration: configuration)
        let url = try #require(URL(string: "http://a.test/"))
        let request = URLRequest(url: url)
        let shared = builder.terms(of: request)
        #expect(builder.terms(of: request) === shared)
        let patient = builder.terms(of: URLRequest(url: url, timeoutInterval: 5))
        #expect(patient.timeouts.idle == 5 && patient.timeouts.head == 30)
        #expect(patient.limits == shared.limits)
        #expect(shared.timeouts.head == 30)
        #expect(shared.limits.bodySize == .max)
        #expect(builder.limits.bodySize == configuration.maximumResponseBodySize)
    }

    @Test("a backslash or a non-ASCII character never reaches the transport unescaped")
    func strangeHosts() {
        for url in ["http://a.test\\@b.test/", "http://a.test\\b/", "http://\u{E4}.test/\u{E4}"] {
            guard URL(string: url) != nil, let exchange = try? Self.build(url) else { continue }
            #expect(exchange.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }, "\(url)")
        }
    }

    @Test("valid URLs are sent unchanged")
    func goodURLs() throws {
        for url in [
            "http://a.test", "HTTPS://a.test:8443/x?y=@z", "http://[::1]:80/", "http://a.test/@",
            "http://a.test/%E4?b=%20",
        ] {
            #expect(try Self.build(url).url == url)
        }
    }

    @Test(
        "a method is a token", arguments: ["G T", "GET\r\nX: y", "", "G\u{0}T", "G\u{E4}T", "GET "])
    func badMethods(method: String) throws {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        request.httpMethod = method
        // Foundation replaces some by GET, which is valid.
        guard request.httpMethod != "GET" else { return }
        let error = #expect(throws: RequestSerializationError.self) {
            try Self.build { $0.httpMethod = method }
        }
        #expect(error?.reason.contains("method") == true)
    }

    @Test(
        "a manager's header field with a control character or a bad name is refused",
        arguments: [
            ("X", "a\r\nY: b"), ("X", "a\rb"), ("X", "a\nb"), ("X", "a\u{0}b"), ("X", "\u{7F}"),
            ("X Y", "v"), ("", "v"), ("X:", "v"), ("X\r\n", "v"), ("X\u{E4}", "v"), ("X\u{0}", "v"),
        ]
    )
    func badFields(name: String, value: String) throws {
        var configuration = SessionConfiguration()
        configuration.additionalHeaders = [name: value]
        let error = try #require(throws: RequestSerializationError.self) {
            try Self.build(configuration: configuration)
        }
        #expect(error.reason.contains("header"))
        #expect(!error.reason.contains("\n"))
    }

    @Test("default header fields are added only if the request has none")
    func defaults() throws {
        var configuration = SessionConfiguration()
        configuration.additionalHeaders = ["X-One": "default", "X-Two": "default"]
        let exchange = try Self.build(configuration: configuration) {
            $0.setValue("own", forHTTPHeaderField: "x-one")
        }
        let values = exchange.fields.map { "\($0.name.lowercased())=\($0.value)" }.sorted()
        let version = BluebonnetVersion.current
        #expect(
            values == [
                "accept-encoding=gzip, br, zstd", "user-agent=Bluebonnet/\(version)", "x-one=own",
                "x-two=default",
            ])
    }

    @Test("POST, PUT and PATCH without a body send an empty one, and other methods send none")
    func emptyBodies() throws {
        for method in ["POST", "PUT", "PATCH"] {
            #expect(try Self.build { $0.httpMethod = method }.bodyData == Data())
        }
        for method in ["GET", "HEAD", "DELETE", "OPTIONS"] {
            #expect(try Self.build { $0.httpMethod = method }.body == nil)
        }
        let exchange = try Self.build {
            $0.httpMethod = "POST"
            $0.httpBody = Data("x".utf8)
            $0.setValue("1", forHTTPHeaderField: "Content-Length")
        }
        #expect(exchange.bodyData == Data("x".utf8))
        #expect(!exchange.fields.contains { $0.name == "Content-Length" })
    }

    @Test("fields that frame the body cannot be configured (RFC 9112 section 11.2)")
    func framing() throws {
        for name in ["content-length", "Transfer-Encoding"] {
            var configuration = SessionConfiguration()
            configuration.additionalHeaders = [name: "0", "X-One": "1"]
            let error = #expect(throws: RequestSerializationError.self) {
                try Self.build(configuration: configuration)
            }
            #expect(error?.reason.contains("additionalHeaders has the field \(name)") == true)
        }
    }

    @Test(
        "framing fields that contradict the body are refused",
        arguments: [
            ("GET", nil, "Content-Length", "5"), ("GET", nil, "Transfer-Encoding", "chunked"),
            ("DELETE", nil, "content-length", "x"), ("POST", nil, "Content-Length", "1"),
            ("POST", "body", "Content-Length", "5"), ("POST", "body", "Content-Length", "4, 4"),
            ("POST", "body", "CONTENT-LENGTH", "3"),
            ("POST", "body", "Transfer-Encoding", "chunked"),
            ("PUT", "body", "transfer-encoding", "gzip"),
        ] as [(String, String?, String, String)])
    func wrongFraming(method: String, body: String?, name: String, value: String) throws {
        let error = #expect(throws: RequestSerializationError.self) {
            try Self.build {
                $0.httpMethod = method
                $0.httpBody = body.map { Data($0.utf8) }
                $0.setValue(value, forHTTPHeaderField: name)
            }
        }
        let text = error?.reason.lowercased()
        #expect(text?.contains("\(name.lowercased()) is \"\(value)\"") == true, "\(text ?? "")")
        #expect(text?.contains("leave it out") == true)
    }

    @Test("correct framing fields are written only by the transport")
    func rightFraming() throws {
        for (method, body, value) in [("GET", nil, "0"), ("POST", nil, "0"), ("POST", "body", "4")]
        {
            let exchange = try Self.build {
                $0.httpMethod = method
                $0.httpBody = body.map { Data($0.utf8) }
                $0.setValue(value, forHTTPHeaderField: "Content-Length")
            }
            #expect(!exchange.fields.contains { $0.name.lowercased() == "content-length" })
        }
    }

    @Test("a request's own timeout is used, and an invalid one sets no limit")
    func timeouts() throws {
        #expect(try Self.build().timeouts == SessionConfiguration().timeouts)
        #expect(try Self.build { $0.timeoutInterval = 7 }.timeouts.idle == 7)
        for value in [0, -1, .infinity, -.infinity, .nan] as [Double] {
            #expect(try Self.build { $0.timeoutInterval = value }.timeouts.idle == nil, "\(value)")
            var configuration = SessionConfiguration()
            configuration.timeouts = .init(connect: value, idle: value, whole: value)
            #expect(try Self.build(configuration: configuration).timeouts == .init())
        }
        var configuration = SessionConfiguration()
        configuration.timeouts.connect = .greatestFiniteMagnitude
        let seconds = try #require(try Self.build(configuration: configuration).timeouts.connect)
        #expect(seconds < 1e9)
    }
}

extension Exchange {
    /// The body, if it is in memory.
    fileprivate var bodyData: Data? {
        guard case .data(let data) = body else { return nil }
        return data
    }
}
