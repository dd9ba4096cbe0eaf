import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Characters that end a line", .timeLimit(.minutes(5)))
struct InjectionTests {
    /// A part of a request that a caller chooses.
    struct Part: Sendable {
        let name: String
        /// The name of the part in the error.
        let called: String
        var configure: @Sendable (inout SessionConfiguration, String) -> Void = { _, _ in }
        var change: @Sendable (inout URLRequest, String) -> Void = { _, _ in }

        var isManagers: Bool { name.hasPrefix("additional") }
    }

    static let names = [
        "Authorization", "Cookie", "User-Agent", "Range", "Host", "Content-Type", "X-Own",
        "Proxy-Authorization", "If-Range", "Accept",
    ]

    static let parts: [Part] =
        names.map { name in
            Part(
                name: "field \(name)", called: name,
                change: { $0.setValue($1, forHTTPHeaderField: name) }
            )
        }
        + names.map { name in
            Part(name: "additional \(name)", called: name) { $0.additionalHeaders[name] = $1 }
        } + [
            Part(name: "method", called: "method", change: { $0.httpMethod = $1 }),
            Part(
                name: "name", called: "header name",
                change: { $0.setValue("v", forHTTPHeaderField: $1) }
            ),
            Part(name: "additional name", called: "header name") {
                $0.additionalHeaders = [$1: "v"]
            },
        ]

    static let bad = ["\r\n", "\r", "\n", "\u{0}", "\u{1}", "\u{1B}", "\u{7F}", "\r\nX-Evil: 1"]

    @Test(
        "they are refused in every part of a request, and the error names the part",
        arguments: bad)
    func refused(bad: String) async throws {
        let stub = ManualTransport { $0.reply() }
        let manager = SessionManager(transport: stub)
        for part in Self.parts {
            for text in ["\(bad)Canary7f3a", "hide\(bad)Canary7f3a"] {
                var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
                part.change(&request, text)
                // Foundation drops some of them, and then nothing of them is sent.
                guard part.isManagers || request.isBad else { continue }
                var configuration = SessionConfiguration()
                part.configure(&configuration, text)
                let manager =
                    part.isManagers
                    ? SessionManager(configuration: configuration, transport: stub) : manager
                let response = await manager.response(
                    for: request, serializer: HTTPResponseSerializer())
                let error = try #require(response.error, "\(part.name)")
                guard case .invalidRequest = error else {
                    Issue.record("\(part.name): \(error)")
                    continue
                }
                #expect(error.description.contains(part.called), "\(error)")
                // Methods and names are not secrets, unless a name contains a value.
                if part.called != "method", part.called != "header name" || bad.contains(":") {
                    #expect(!printed(error).contains("Canary7f3a"), "\(error)")
                }
                #expect(!error.description.utf8.contains { $0 < 0x20 })
            }
        }
        #expect(stub.exchanges.isEmpty)
    }

    @Test("they are refused in a serializer's fields, in a verb's, and in credentials")
    func serializers() async throws {
        for bad in Self.bad {
            let rig = SessionRig()
            rig.manager.requestSerializer.headers["X-Api-Key"] = "a\(bad)Canary7f3a"
            rig.task().resume()
            let first = try #require(await rig.response.error)
            #expect(first.description.contains("X-Api-Key"))
            rig.manager.requestSerializer.headers = [:]
            rig.manager.requestSerializer.setAuthorization(bearerToken: "a\(bad)Canary7f3a")
            rig.task().resume()
            rig.manager.requestSerializer.clearAuthorization()
            rig.manager.get("a", headers: ["X-Own": "a\(bad)Canary7f3a"]) { rig.responses.add($0) }
            let errors = await rig.responses.wait(for: 3).compactMap(\.error)
            #expect(errors.count == 3)
            for error in errors { #expect(!printed(error).contains("Canary7f3a")) }
            #expect(rig.stub.exchanges.isEmpty)
        }
    }

    @Test("they are refused in a redirect hook's request and in values that a server returns")
    func later() async throws {
        let rig = SessionRig()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            var request = request
            request.setValue("a\u{1}Canary7f3a", forHTTPHeaderField: "X-Own")
            // If Foundation dropped the field, this method prevents the request.
            if !request.isBad { request.httpMethod = "X-Own\r\n" }
            return request
        }
        try rig.start()
        await rig.stub.exchange().redirect(to: "/b")
        let error = try #require(await rig.response.error)
        #expect(error.description.contains("X-Own") && !printed(error).contains("Canary7f3a"))

        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        for (number, parameter) in ["realm", "nonce", "opaque"].enumerated() {
            let count = number + 1
            try rig.start()
            var values = ["realm": "r", "nonce": "n", "opaque": "o"]
            values[parameter] = "a\u{1}\u{B}b"
            let text = values.map { "\($0)=\"\($1)\"" }.joined(separator: ", ")
            await rig.stub.exchange(count).challenge("Digest \(text), qop=auth")
            let last = await rig.responses.wait(for: number + 2).last
            #expect(rig.stub.exchanges.count == count + 1)
            #expect(last?.head?.statusCode == 401)
        }
    }

    @Test("they never come from a jar, because such a cookie is not kept")
    func cookies() async throws {
        for bad in Self.bad {
            var jar = CookieJar()
            let url = try #require(URL(string: "http://a.test/"))
            jar.store(["a=x\(bad)y", "a\(bad)=y", "b=1; Path=/\(bad)"], from: url)
            for (name, value) in [("a", "x\(bad)y"), ("a\(bad)", "y")] {
                let properties: [HTTPCookiePropertyKey: Any] = [
                    .name: name, .value: value, .domain: "a.test", .path: "/",
                ]
                if let cookie = HTTPCookie(properties: properties) { jar.setCookie(cookie) }
            }
            let header = jar.cookieHeader(for: url) ?? ""
            #expect(!header.utf8.contains { $0 < 0x20 || $0 == 0x7F })
        }
    }

    @Test("they are escaped in names of form parts, and refused in their fields and types")
    func forms() throws {
        for bad in Self.bad {
            var form = MultipartFormData()
            form.appendPart(formData: Data(), name: "a\(bad)b")
            try form.appendPart(fileData: Data(), name: "n", fileName: "f\(bad)g")
            for field in form.parts.flatMap(\.fields) {
                #expect(!field.value.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "\(field)")
                if field.name == "Content-Disposition" { #expect(field.value.contains("%")) }
            }
            #expect(throws: MultipartFailure.self) {
                try form.appendPart(
                    fileData: Data(), name: "n", fileName: "f", mimeType: "a/b\(bad)c")
            }
            #expect(throws: MultipartFailure.self) {
                try form.appendPart(headers: ["X": "a\(bad)b"], body: Data())
            }
            #expect(throws: MultipartFailure.self) {
                try form.appendPart(headers: ["X\(bad)": "a"], body: Data())
            }
        }
    }

    @Test(
        "a refused, requested or redirect URL is reported without its secrets",
        arguments: [
            "http://user:Canary7f3a@a.test/", "ftp://user:Canary7f3a@a.test/?Canary7f3a",
            "http://a.test:x/?Canary7f3a", "http:///x?Canary7f3a#Canary7f3a",
            "http://[::1?Canary7f3a",
            "https://user:Canary7f3a@a.test\\b/", "http://user:Canary7f3a#x@a.test/",
            "http://user:Canary7f3a?x@a.test/", "http://user:x#Canary7f3a@a.test/",
            "user:Canary7f3a@a.test/x",
            "http://us%65r:Canary7f3a#x@a.test/", "//user:Canary7f3a@a.test/x",
        ]
    )
    func urls(url: String) async throws {
        let rig = SessionRig()
        rig.manager.get(url) { rig.responses.add($0) }
        let first = try #require(await rig.response.error)
        #expect(!printed(first).contains("Canary7f3a"), "\(first)")
        try rig.start("http://b.test/")
        await rig.stub.exchange().redirect(to: url)
        let last = try #require(await rig.responses.wait(for: 2).last?.error)
        #expect(!printed(last).contains("Canary7f3a"), "\(last)")
    }
}

extension URLRequest {
    /// Whether the method, a name or a value has a control character.
    fileprivate var isBad: Bool {
        let texts = (allHTTPHeaderFields ?? [:]).flatMap { [$0.key, $0.value] }
        return (texts + [httpMethod ?? ""]).contains { text in
            text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        }
    }
}
