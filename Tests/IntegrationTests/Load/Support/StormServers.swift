import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// The servers of a storm and their responses.
final class StormServers: Sendable {
    static let small = Data(DeterministicBytes.prefix(5_000))
    /// More than a stream holds.
    static let large = Data(DeterministicBytes.prefix(1_600_000))

    let fixture: FixtureServer
    let nginx: NginxServer
    private let full: FullListener
    private let silent: CuttingRelay
    let directory: ServerDirectory
    let uploadFile: URL

    init() async throws {
        fixture = try FixtureServer()
        nginx = try await NginxServer(files: ["small": Self.small])
        full = try FullListener()
        silent = try CuttingRelay(to: nil)
        directory = try ServerDirectory()
        try directory.write(Self.large, to: "upload")
        uploadFile = URL(fileURLWithPath: directory.path(of: "upload"))
        try FileManager.default.createDirectory(
            atPath: directory.path(of: "results"), withIntermediateDirectories: true)
        addRoutes()
    }

    /// The directory of the downloads, each named by its number.
    var results: URL { URL(fileURLWithPath: directory.path(of: "results")) }

    var resultNames: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: results.path)) ?? []
    }

    func url(_ target: StormPlan.Target, isUpload: Bool) -> String {
        switch target {
        case .small: fixture.baseURL + "/small"
        case .large: fixture.baseURL + "/large"
        case .redirected: fixture.baseURL + "/redirected"
        case .challenged: fixture.baseURL + "/challenged"
        case .delayed: fixture.baseURL + "/delayed"
        case .silent: fixture.baseURL + "/hang"
        case .endless: fixture.baseURL + "/paced"
        case .namedHost: "http://localhost:\(fixture.port)/small"
        case .unknownHost: "http://no-such-host.invalid/"
        // A label has at most 63 characters.
        case .impossibleHost: "http://\(String(repeating: "x", count: 64)).invalid/"
        case .unreachable: "http://127.0.0.1:\(full.port)/"
        case .silentTLS: "https://localhost:\(silent.port)/"
        case .secure: nginx.tlsURL(isUpload ? "uploads/storm" : "files/small")
        }
    }

    /// Returns the body of a success, or nil if there is none.
    func body(of target: StormPlan.Target, isUpload: Bool) -> Data? {
        switch target {
        case .large: Self.large
        case .small, .redirected, .challenged, .delayed, .namedHost: Self.small
        case .secure: isUpload ? Data() : Self.small
        default: nil
        }
    }

    private func addRoutes() {
        let small = FixtureReply.response(
            status: 200, headers: [("ETag", "\"small\"")], body: [UInt8](Self.small))
        let large = FixtureReply.response(
            status: 200, headers: [("ETag", "\"large\"")], body: [UInt8](Self.large))
        fixture.route("/small") { _ in small }
        fixture.route("/large") { _ in large }
        fixture.route("/delayed") { _ in .delayed(by: 3, small) }
        fixture.route("/redirected") { _ in
            .response(status: 307, headers: [("Location", "/small")])
        }
        fixture.route("/challenged") { request in
            guard request.headers["Authorization"] == nil else { return small }
            return .response(
                status: 401, headers: [("WWW-Authenticate", "Basic realm=\"storm\"")])
        }
        let block = [UInt8](repeating: 7, count: 64 * 1024)
        fixture.route("/paced") { _ in
            .script([
                .send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"e\"\r\n\r\n".utf8)),
                .generate { _ in [.send(block), .pause(milliseconds: 2)] },
            ])
        }
    }
}
