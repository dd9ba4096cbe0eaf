import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Descriptions of requests as curl commands", .timeLimit(.minutes(5)))
struct CURLDescriptionTests {
    private static func request(
        _ url: String = "http://a.test/x", _ change: (inout URLRequest) -> Void = { _ in }
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        change(&request)
        return request
    }

    private static let plainFields: HTTPHeaders = {
        var headers = HTTPHeaders.default
        headers["User-Agent"] = "me"
        headers["Accept-Encoding"] = nil
        return headers
    }()

    @Test("an unstarted task has the manager's fields after its own, in order")
    func unstarted() throws {
        let rig = StubRig {
            $0.additionalHeaders = ["X-Session": "s", "Accept": "none", "User-Agent": "me"]
            $0.additionalHeaders["Accept-Encoding"] = nil
        }
        let request = try Self.request("http://a.test/x?q=1#part") {
            $0.httpMethod = "PUT"
            $0.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            $0.setValue("own", forHTTPHeaderField: "Accept")
            $0.setValue("", forHTTPHeaderField: "X-Empty")
            $0.httpBody = Data("it's $(date) `date` !! \"q\"".utf8)
        }
        let task = rig.manager.dataTask(with: request) { _ in }
        #expect(
            task.cURLDescription(includingSecrets: true) == #"""
                $ curl -v \
                \#t-X PUT \
                \#t-H 'Accept: own' \
                \#t-H 'Content-Type: text/plain' \
                \#t-H 'X-Empty;' \
                \#t-H 'X-Session: s' \
                \#t-H 'User-Agent: me' \
                \#t--data-binary 'it'\''s $(date) `date` !! "q"' \
                \#t'http://a.test/x?q=1'
                """#)
        #expect(rig.stub.requests.isEmpty)
        #expect(task.state == .initialized)
    }

    @Test("a request that cannot be built has no command")
    func unavailable() throws {
        let rig = StubRig()
        let unavailable = "$ curl command could not be created"
        let bad = try Self.request { $0.httpMethod = "G T" }
        #expect(rig.manager.dataTask(with: bad) { _ in }.cURLDescription() == unavailable)
        let login = try Self.request("http://user:hunter2@a.test/")
        #expect(rig.manager.dataTask(with: login) { _ in }.cURLDescription() == unavailable)
        let none = rig.manager.dataTask(method: .get, path: "http://[/") { _ in }
        #expect(none.cURLDescription(includingSecrets: true) == unavailable)
    }

    @Test("the jar's cookies are included if the task handles cookies")
    func cookies() throws {
        let url = try #require(URL(string: "http://a.test/"))
        var jar = CookieJar()
        jar.store(["n=1", "m=it's"], from: url)
        let rig = StubRig {
            $0.cookies = .shared(CookieStorage(jar))
            $0.additionalHeaders = Self.plainFields
        }
        func text(_ options: RequestOptions = [], cookie: String? = nil) throws -> String {
            let request = try Self.request {
                $0.setValue(cookie, forHTTPHeaderField: "Cookie")
            }
            return rig.manager.dataTask(with: request, options: options) { _ in }
                .cURLDescription(includingSecrets: true)
        }
        #expect(try text().contains(#"-b 'n=1; m=it'\''s'"#))
        #expect(try !text(.cookies(false)).contains("n=1"))
        #expect(try text(cookie: "own=2").contains("-b 'own=2'"))
        #expect(try !text(cookie: "own=2").contains("n=1"))
        // With -b, curl would read a file of this name.
        #expect(try text(cookie: "secret").contains("-H 'Cookie: secret'"))
        #expect(try text(cookie: "@a=b").contains("-H 'Cookie: @a=b'"))
    }

    @Test("the current request is shown, after adapters and redirects")
    func current() async throws {
        let rig = StubRig { $0.additionalHeaders = Self.plainFields }
        rig.manager.interceptors = [
            Adapter(async: { request, _ in
                var request = request
                request.setValue("yes", forHTTPHeaderField: "X-Adapted")
                return request
            })
        ]
        rig.answer(.moved(303, to: "http://b.test/next"), .good)
        let task = try rig.start("http://a.test/x") {
            $0.httpMethod = "POST"
            $0.httpBody = Data("a=b".utf8)
        }
        let request: Request = task
        #expect(await rig.response.error == nil)
        let text = task.cURLDescription()
        #expect(
            text == """
                $ curl -v \\
                \t-X GET \\
                \t-H 'X-Adapted: yes' \\
                \t-H 'User-Agent: me' \\
                \t'http://b.test/next'
                """)
        #expect(request.cURLDescription() == text)
        #expect(
            request.cURLDescription(includingSecrets: true)
                == task.cURLDescription(includingSecrets: true))
    }

    @Test("the request that was sent is shown, not the one that would be sent now")
    func asSent() async throws {
        let rig = StubRig()
        rig.answer(StubResponse.good.header("Set-Cookie", "late=1"))
        let task = try rig.start()
        _ = await rig.response
        #expect(!task.cURLDescription(includingSecrets: true).contains("late=1"))
        let next = rig.manager.dataTask(with: try #require(task.originalRequest)) { _ in }
        #expect(next.cURLDescription(includingSecrets: true).contains("-b 'late=1'"))
    }

    @Test("a known credential is an option, with the scheme if it is Digest")
    func credentials() async throws {
        for (challenge, option) in [
            ("Basic realm=r", "\t-u 'user:hunter2'"),
            (ChallengeTaskTests.digest, "\t--digest \\\n\t-u 'user:hunter2'"),
        ] {
            let rig = StubRig()
            rig.manager.didReceiveChallenge = { _, _ in
                .useCredential(.test("user", "hunter2"))
            }
            rig.answer(.unauthorized(challenge), .good)
            let task = try rig.start()
            #expect(await rig.response.error == nil)
            let next = rig.manager.dataTask(with: try #require(task.originalRequest)) { _ in }
            for text in [task, next].map({ $0.cURLDescription(includingSecrets: true) }) {
                #expect(text.contains(option) && !text.contains("Authorization"), "\(text)")
            }
            for text in [task, next].map({ $0.cURLDescription() }) {
                #expect(text.contains("-u '<redacted>:<redacted>'"), "\(text)")
                #expect(!text.contains("hunter2") && !text.contains("user:"), "\(text)")
            }
        }
    }

    @Test("files are shown by path, and streams and forms are marked as missing")
    func uploads() async throws {
        let rig = StubRig()
        let request = try Self.request { $0.httpMethod = "POST" }
        func text(_ task: SessionTask) -> String { task.cURLDescription(includingSecrets: true) }
        let file = URL(fileURLWithPath: "/tmp/it's @ file")
        #expect(
            text(rig.manager.uploadTask(with: request, fromFile: file) { _ in })
                .contains(#"--data-binary '@/tmp/it'\''s @ file'"#))
        #expect(
            text(rig.manager.uploadTask(with: request, from: Data("@x".utf8)) { _ in })
                .contains("--data-raw '@x'"))
        let streamed = rig.manager.uploadTask(
            withStreamedRequest: request, length: 12, body: { InputStream(data: Data()) }
        ) { _ in }
        #expect(text(streamed).contains("-T '<the body is missing: a stream of 12 bytes>'"))
        var own = request
        own.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect(
            text(rig.manager.dataTask(with: own) { _ in })
                .contains("-T '<the body is missing: a stream>'"))
        let form = try HTTPRequestSerializer().multipartFormRequest(request) {
            $0.appendPart(formData: Data("v".utf8), name: "n")
        }
        #expect(
            text(rig.manager.dataTask(with: form) { _ in })
                .contains("-T '<the body is missing: a form of "))
        rig.answer(.good)
        let ended = rig.manager.uploadTask(with: request, from: Data("x".utf8)) { [rig] in
            rig.responses.add($0)
        }
        ended.resume()
        #expect(await rig.response.error == nil)
        #expect(text(ended).contains("-T '<the body is missing: the upload has ended"))
    }

    @Test("options are joined by a line break and a tab, and no value contains a tab")
    func tabs() throws {
        let request = try Self.request {
            $0.httpMethod = "POST"
            $0.setValue("a\tb", forHTTPHeaderField: "X-Tab")
            $0.httpBody = Data("a\tb".utf8)
        }
        let text = StubRig().manager.dataTask(with: request) { _ in }
            .cURLDescription(includingSecrets: true)
        #expect(!text.replacing(" \\\n\t", with: "").contains("\t"), "\(text)")
        #expect(text.contains(#"-H 'X-Tab: a'"$(printf '\011')"'b'"#), "\(text)")
        #expect(text.hasPrefix(#"$ printf 'a\011b' | curl -v \#u{5C}"#), "\(text)")
    }

    @Test(
        "control characters and text direction marks are always escaped",
        arguments: [
            "\u{1B}[2J", "\u{7}", "\u{85}", "\u{9B}2J", "\u{7F}", "\u{202E}", "\u{2066}",
            "\u{200E}", "\u{200F}", "\u{61C}",
        ])
    func controls(text: String) throws {
        let file = URL(fileURLWithPath: "/tmp/a\(text)b")
        let request = try Self.request {
            $0.httpMethod = "POST"
            if !text.contains(where: \.isASCII) {
                $0.setValue("c\(text)d", forHTTPHeaderField: "X-Field")
            }
        }
        let task = StubRig().manager.uploadTask(with: request, fromFile: file) { _ in }
        let escapes = #""$(printf '\#(Data(text.prefix(1).utf8).printfFormat)')""#
        for text in [task.cURLDescription(), task.cURLDescription(includingSecrets: true)] {
            let values = text.replacing(" \\\n\t", with: " ")
            #expect(values.unicodeScalars.allSatisfy { $0.isPlain }, "\(text)")
            #expect(text.contains("--data-binary '@/tmp/a'\(escapes)'"), "\(text)")
        }
    }

    @Test("HEAD, brackets, dots and large bodies get the options they need")
    func traps() throws {
        let rig = StubRig()
        func text(
            _ url: String = "http://a.test/", _ change: (inout URLRequest) -> Void = { _ in }
        ) throws -> String {
            rig.manager.dataTask(with: try Self.request(url, change)) { _ in }
                .cURLDescription(includingSecrets: true)
        }
        let head = try text { $0.httpMethod = "HEAD" }
        #expect(head.contains("\t-I \\") && !head.contains("-X"))
        #expect(try text("http://[::1]/").contains("\t-g \\"))
        #expect(try !text().contains("-g"))
        #expect(try text("http://a.test/a/../b").contains("--path-as-is"))
        #expect(try text("http://a.test/a/%2E%2E/b").contains("--path-as-is"))
        #expect(try !text("http://a.test/a?b=/../c").contains("--path-as-is"))
        #expect(try !text().contains("--compressed"))
        #expect(try !text().contains("-H 'User-Agent:'"))
        let anonymous = StubRig { $0.additionalHeaders["User-Agent"] = nil }
        #expect(
            anonymous.manager.dataTask(with: try Self.request()) { _ in }.cURLDescription()
                .contains("-H 'User-Agent:'"))
        let long = try text {
            $0.httpMethod = "POST"
            $0.httpBody = Data(repeating: 0x61, count: 200_000)
        }
        #expect(long.hasPrefix("$ printf 'aaa") && long.contains("--data-binary @-"))
        #expect(long.contains("-H 'Expect:'") && long.contains("-H 'Content-Type:'"))
    }
}
