import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestResolver
import Foundation

/// What all cases of the matrix share while one of them is there: a server without faults, and
/// certificates.
final class FaultSurroundings: Sendable {
    let healthyServer: FixtureServer
    let certificates: TestCertificates
    private let directory: ServerDirectory

    private init() async throws {
        healthyServer = try FixtureServer()
        directory = try ServerDirectory()
        certificates = try await TestCertificates.make(in: directory)
        try await OpenSSL.run(
            [
                "req", "-x509", "-config", "openssl.cnf", "-newkey", "rsa:1024", "-nodes",
                "-days", "2", "-extensions", "server", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=\(TestCertificates.localNames)",
                "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "weak.key", "-out", "weak.pem",
            ], in: directory)
        for (name, answers) in Fault.answersToNames {
            guard bt_resolver_answer("\(name).fault.test", answers) == 0 else {
                throw ServerFailure("the resolver has no room for \(name)")
            }
        }
    }

    var identity: ServerIdentity {
        ServerIdentity(chainFile: certificates.certificate, keyFile: certificates.key)
    }

    var authority: URL { URL(fileURLWithPath: certificates.authority) }

    /// The ones there are, or new ones.
    static func shared() async throws -> FaultSurroundings { try await cache.surroundings() }

    private static let cache = Cache()

    private actor Cache {
        private weak var current: FaultSurroundings?
        private var making: Task<FaultSurroundings, any Error>?

        func surroundings() async throws -> FaultSurroundings {
            if let current { return current }
            if let making { return try await making.value }
            let task = Task { try await FaultSurroundings() }
            making = task
            defer { making = nil }
            let made = try await task.value
            current = made
            return made
        }
    }
}
