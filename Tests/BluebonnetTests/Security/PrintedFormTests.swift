import BluebonnetTargets
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Printed values with secrets")
struct PrintedFormTests {
    static let url = "http://a.test/b?key=\(Canary.forms[1])"
    static let headers: HTTPHeaders = [
        "Authorization": "Bearer \(Canary.text)", "cookie": "a=\(Canary.text)",
        "Set-Cookie": "a=\(Canary.text)", "X-Api-Key": Canary.text,
        "Location": "http://user:\(Canary.text)@a.test/?\(Canary.text)", "X-Own": "shown",
    ]

    static func request() throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        request.httpBody = Data(Canary.text.utf8)
        return request
    }

    static func values() throws -> [(String, Any)] {
        let request = try request()
        let head = ResponseHead(
            statusCode: 200, headers: headers, url: try #require(request.url))
        let context = BluebonnetError.Context(
            request: request, head: head, data: Data("told: \(Canary.text)".utf8))
        let error = BluebonnetError.unacceptableStatus(500, context)
        var configuration = SessionConfiguration()
        configuration.additionalHeaders = headers
        let proxy = Exchange.Route.Proxy(
            .http, host: "p.test", port: 1, username: "user", password: Canary.text)
        configuration.route = Exchange.Route(proxy: proxy)
        var jar = CookieJar()
        jar.store(["a=\(Canary.text)"], from: head.url)
        configuration.cookies = .shared(CookieStorage(jar))
        var exchange = Exchange(method: "GET", url: url, fields: headers.fields, pool: .init())
        exchange.body = .data(Data(Canary.text.utf8))
        var form = MultipartFormData()
        form.appendPart(formData: Data(Canary.text.utf8), name: "name")
        var serializer = HTTPRequestSerializer()
        serializer.headers = headers
        serializer.setAuthorization(username: "user", password: Canary.text)
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://user:\(Canary.forms[1])@a.test/"),
            configuration: configuration
        )
        manager.requestSerializer = serializer
        let task = manager.dataTask(with: request, completionHandler: nil)
        let targetResponse = TargetResponse(
            statusCode: 200, data: Data("told: \(Canary.text)".utf8), request: request,
            response: head.httpURLResponse)
        return [
            ("headers", headers), ("field", headers.fields[0]), ("fields", headers.fields),
            ("head", head), ("exchange head", head.exchangeHead), ("context", context),
            ("error", error), ("url error", error.urlError), ("exchange", exchange),
            ("body", exchange.body as Any), ("configuration", configuration), ("jar", jar),
            ("proxy", proxy), ("route", configuration.route), ("form", form),
            ("report", Exchange.Report(head: head.exchangeHead)), ("serializer", serializer),
            ("manager", manager), ("task", task), ("delegate", task.delegate),
            ("cookies", configuration.cookies), ("session", task.delegate.session),
            ("disposition", ChallengeDisposition.useCredential(.test("user", Canary.text))),
            (
                "success",
                Response<Data>(
                    request: request, head: head, data: context.data, result: .success(Data()))
            ),
            (
                "failure",
                Response<Data>(
                    request: request, head: head, data: context.data, result: .failure(error))
            ),
            ("target response", targetResponse),
            ("target error", TargetError.statusCode(targetResponse)),
            ("mapping error", TargetError.objectMapping(error, targetResponse)),
            ("redactor", TaskRedactor(request: request)),
            ("known values", TaskRedactor(request: request).redactor(for: .server)),
            ("notification", Notification(name: .init("n"), object: task, userInfo: ["e": error])),
            (
                "opaque",
                Response<Data>(
                    request: URLRequest(
                        url: try #require(URL(string: "user:Canary+7f3a/9@a.test/"))),
                    head: nil, data: nil, result: .failure(.cancelled(.init())))
            ),
            ("nested", ["a": [Optional(Result<Int, BluebonnetError>.failure(error))]]),
        ]
    }

    @Test("no text of a public value contains a secret")
    func hidden() throws {
        for (name, value) in try Self.values() {
            let text = printed(value)
            #expect(Canary.forms(in: text).isEmpty, "\(name): \(text)")
        }
    }

    @Test("values that are not secret are still printed")
    func told() throws {
        #expect("\(Self.headers)".contains("X-Own: shown"))
        #expect("\(Self.headers)".contains("Location: http://…@a.test/…"))
        let head = ResponseHead(
            statusCode: 204, headers: Self.headers, url: try #require(URL(string: Self.url)))
        #expect("\(head)" == "status 204 of GET http://a.test/b")
        #expect(printed(head).contains("shown"))
        let request = try Self.request()
        let task = HTTPSessionManager().dataTask(with: request, completionHandler: nil)
        #expect("\(task)" == "DataTask 1, GET http://a.test/b, initialized")
        #expect("\(task.delegate)" == "TaskDelegate 1 (data), GET http://a.test/b")
        let failure = BluebonnetError.cancelled(.init(request: request, head: head))
        #expect(failure.urlError.failingURL?.absoluteString == "http://a.test/b")
        #expect("\(failure.context)" == "GET http://a.test/b, status 204")
        let response = Response<Data>(
            request: request, head: head, data: Data([1, 2]), result: .success(Data()))
        #expect("\(response)" == "GET http://a.test/b: status 204, 2 bytes")
        #expect(printed(ChallengeDisposition.cancel).contains("cancel"))
    }

    @Test("an error contains no value with a secret name, and no secret of the request's body")
    func bodies() throws {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/b")))
        request.httpBody = Data(#"{"user":"ada","password":"\#(Canary.text)"}"#.utf8)
        let url = try #require(request.url)
        for (type, told) in [
            ("application/json", #"{"why":"bad","access_token":"\#(Canary.text)"#),
            ("application/json", #"{"why":"bad","session":["\#(Canary.text)"]}"#),
            ("application/x-www-form-urlencoded", "why=bad&key=\(Canary.forms[1])"),
            ("text/plain", "bad&token=\(Canary.text)"),
            ("text/html", "<p>bad: \(Canary.text)</p>"), ("text/plain", "bad: \(Canary.forms[1])"),
        ] {
            let head = ResponseHead(statusCode: 500, headers: ["Content-Type": type], url: url)
            let context = BluebonnetError.Context(
                request: request, head: head, data: Data(told.utf8))
            let text = printed(BluebonnetError.unacceptableStatus(500, context))
            #expect(Canary.forms(in: text).isEmpty, "\(told): \(text)")
            #expect(text.contains("bad") && text.contains("<redacted>"), "\(text)")
        }
    }

    @Test(
        "an error does not contain a secret that the server echoes",
        arguments: [
            ("Authorization", "Bearer \(Canary.text)"), ("authorization", Canary.text),
            ("Cookie", "a=1; b=\(Canary.text)"), ("X-Api-Key", Canary.text),
            ("Authorization", "Basic \(Canary.forms[4])"),
            ("Authorization", "Digest username=\"u\", response=\"\(Canary.text)\""),
        ]
    )
    func echoed(name: String, value: String) throws {
        var request = URLRequest(url: try #require(URL(string: Self.url)))
        request.setValue(value, forHTTPHeaderField: name)
        for told in [value, Canary.text, "<p>you said \(value)</p>"] {
            let context = BluebonnetError.Context(request: request, data: Data(told.utf8))
            let error = BluebonnetError.unacceptableStatus(500, context)
            #expect(Canary.forms(in: printed(error)).isEmpty, "\(told): \(error)")
            #expect(error.description.contains("<redacted>"))
        }
        let plain = BluebonnetError.Context(request: request, data: Data("plain words".utf8))
        let text = BluebonnetError.unacceptableStatus(500, plain).description
        #expect(text.contains("begins with: plain words"))
    }
}
