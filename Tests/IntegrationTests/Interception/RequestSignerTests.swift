import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("A signer as an adapter", .timeLimit(.minutes(5)))
struct RequestSignerTests {
    private static let key = "it's a key of the server"

    /// Verifies received requests with Python, independently of the library.
    private static let verifier = """
        import base64, hashlib, hmac, json, sys
        key, text = sys.argv[1], sys.argv[2]
        for request in json.loads(text):
            fields = {name.lower(): value for name, value in request["fields"]}
            body = base64.b64decode(request["body"])
            digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
            assert fields["content-digest"] == "sha-256=:" + digest + ":", fields
            names, value = fields["x-signature"].split('"')[1], fields["x-signature"].split("=")[-1]
            lines = [request["line"]]
            lines += [name + ": " + fields.get(name, "") for name in names.split() + ["content-digest"]]
            right = hmac.new(key.encode(), "\\n".join(lines).encode(), hashlib.sha256).hexdigest()
            print("good" if hmac.compare_digest(right, value) else "bad")
        """

    private struct Arrived: Encodable {
        var line: String
        var fields: [[String]]
        var body: String

        init(_ request: FixtureRequest) {
            line = "\(request.method) \(request.target)"
            fields = request.headers.map { [$0.name, $0.value] }
            body = Data(request.body).base64EncodedString()
        }
    }

    private static func verdicts(_ requests: [Arrived]) async throws -> [String] {
        let text = String(decoding: try JSONEncoder().encode(requests), as: UTF8.self)
        let output = try await PythonScript.run(verifier, key, text)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("the server verifies method, URL, fields and body after the earlier adapters")
    func verified() async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        let manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        manager.interceptors = [
            Adapter(async: { request, _ in
                var request = request
                request.setValue("Thu, 26 Nov 2026 12:00:00 GMT", forHTTPHeaderField: "Date")
                return request
            }),
            .compressor(.gzip),
            RequestSigner(key: Data(Self.key.utf8)),
        ]
        let body: Parameters = ["text": String(repeating: "it's long ", count: 100)]
        _ = try await manager.post("echo-body?a=b%20c", parameters: body)
        _ = try await manager.get("json", parameters: ["q": "\u{E9} '"])
        _ = try await manager.put("echo-body")
        let requests = server.recordedRequests.map(Arrived.init)
        #expect(requests.count == 3)
        #expect(server.recordedRequests.first?.headers["Content-Encoding"] == "gzip")
        #expect(try await Self.verdicts(requests) == ["good", "good", "good"])
        var forged = try #require(requests.first)
        forged.line = forged.line.replacingOccurrences(of: "POST", with: "PUT")
        #expect(try await Self.verdicts([forged]) == ["bad"])
    }

    @Test("each attempt is signed again")
    func attempts() async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        let manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        manager.interceptors = [
            Adapter(async: { request, session in
                var request = request
                request.setValue("\(UUID())", forHTTPHeaderField: "Date")
                return request
            }),
            RequestSigner(key: Data(Self.key.utf8)),
            Retrier(async: { request, _, _ in request.retryCount < 2 ? .retry : .doNotRetry }),
        ]
        await #expect(throws: BluebonnetError.self) { try await manager.get("status/503") }
        let requests = server.recordedRequests
        #expect(requests.count == 3)
        #expect(Set(requests.compactMap { $0.headers["X-Signature"] }).count == 3)
        #expect(try await Self.verdicts(requests.map(Arrived.init)) == ["good", "good", "good"])
    }

    @Test("the signature is HMAC with SHA-256 (RFC 4231, cases 2 and 6)")
    func vectors() throws {
        #expect(
            try RequestSigner.signature(
                of: "what do ya want for nothing?", key: Data("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            try RequestSigner.signature(
                of: "Test Using Larger Than Block-Size Key - Hash Key First",
                key: Data(repeating: 0xAA, count: 131))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }
}
