import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTransport
import Testing

/// Responses that a server sends during the upload of the body.
@Suite("Responses before the end of an upload", .timeLimit(.minutes(5)))
struct EarlyResponseTests {
    enum Way: Sendable {
        case plain, secure, http2

        static var usable: [Way] {
            LibcurlQuirks.current.speaksHTTP2 ? [.plain, .secure, .http2] : [.plain, .secure]
        }
    }

    private static let size = 24_000_000

    private let nginx: NginxServer
    private let directory: ServerDirectory
    private let file: URL

    init() async throws {
        nginx = try await NginxServer()
        directory = try ServerDirectory()
        file = URL(fileURLWithPath: directory.path(of: "body"))
        try RandomFile.write(Self.size, to: file, seed: 1)
    }

    private func manager(_ way: Way) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.httpVersion = way == .http2 ? .http2 : .http1
        let manager = HTTPSessionManager(configuration: configuration)
        manager.securityPolicy.certificateAuthorities = URL(fileURLWithPath: nginx.authorityFile)
        return manager
    }

    private func upload(
        to path: String,
        _ way: Way,
        _ manager: HTTPSessionManager
    ) async throws -> Response<Data> {
        let url = way == .plain ? nginx.url(path) : nginx.tlsURL(path)
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "PUT"
        return await withCheckedContinuation { [request] continuation in
            manager.uploadTask(
                with: request, fromFile: file, serializer: HTTPResponseSerializer()
            ) { continuation.resume(returning: $0) }.resume()
        }
    }

    @Test("a 413 is the response, and the rest of the file is not sent", arguments: Way.usable)
    func refused(way: Way) async throws {
        let response = try await upload(to: "limited/name", way, manager(way))
        switch response.error {
        case .unacceptableStatus(413, _):
            #expect(response.data?.isEmpty == false)
        // A reset can discard data within TLS. Over plain HTTP/1.1 the response is kept.
        case .transport(let failure, _) where way == .secure:
            #expect(failure.code == .networkConnectionLost)
        default:
            Issue.record("\(response.result)")
        }
        let exchanges = try #require(response.metrics?.exchanges)
        #expect(exchanges.count == 1)
        #expect(exchanges.allSatisfy { $0.requestBodyBytes < Self.size })
        let version = way == .http2 ? "HTTP/2" : "HTTP/1.1"
        #expect(exchanges.allSatisfy { ["", version].contains($0.protocolVersion) })
        #expect(!FileManager.default.fileExists(atPath: nginx.uploadedFile("name").path))
    }

    @Test("an early 401 is answered, and the whole file is sent again", arguments: Way.usable)
    func challenged(way: Way) async throws {
        let manager = manager(way)
        let credentials = nginx.credentials
        manager.didReceiveChallenge = { _, _ in
            .useCredential(
                URLCredential(
                    user: credentials.user, password: credentials.password, persistence: .none))
        }
        let response = try await upload(to: "private-uploads/name", way, manager)
        #expect(response.head?.statusCode == 201, "\(response.result)")
        let exchanges = try #require(response.metrics?.exchanges)
        #expect(exchanges.count == 2)
        #expect(exchanges.last.map { Int($0.requestBodyBytes) } == Self.size)
        #expect(
            try await nginx.uploadChecksum("name") == FileChecksum.sha256(of: file.path))
    }
}
