package import Foundation

/// nginx on loopback ports that differ in what they ask a client for.
///
/// | path | what it does |
/// | --- | --- |
/// | `/who` | says who the client is, whether the TLS session was resumed, and which connection it is |
/// | `/who-once` | the same, and closes the connection |
/// | `/slow` | a head at once, and a body that takes its time |
/// | `/to?place` | a redirect to the place |
///
/// Its certificate names `localhost` and 127.0.0.1.
package final class MutualTLSServer: Sendable {
    /// What a port asks for.
    package enum Asking: Int, CaseIterable {
        /// No certificate.
        case nobody
        /// One of the authority `a`.
        case a
        /// One of the authority `b`.
        case b
        /// One of anybody.
        case anybody
    }

    /// What a port has seen of a client.
    package struct Client: Equatable {
        /// Nil for one without a certificate.
        package var name: String?
        package var isResumed: Bool
        package var connection: Int
    }

    private let process: ServerProcess
    private let certificates: TestCertificates
    private let ports: [ReservedPort]

    /// Starts nginx with the authorities of those identities, for one version of TLS.
    package init(_ identities: TestIdentities, version: String = "TLSv1.3") async throws {
        let directory = try ServerDirectory()
        ports = try Asking.allCases.map { _ in try ReservedPort() }
        certificates = try await TestCertificates.make(in: directory)
        for name in ["a.pem", "b.pem"] { try directory.write(identities.data(name), to: name) }
        let servers = zip(ports, Asking.allCases).map { port, asking in
            """
            server {
                listen 127.0.0.1:\(port.number) ssl;
                \(asking.directives)
                location = /who { return 200 "$who"; }
                location = /who-once { keepalive_timeout 0; return 200 "$who"; }
                location = /slow {
                    limit_rate 1; limit_rate_after 2k;
                    return 200 "\(String(repeating: "slowly ", count: 400))";
                }
                location = /to { return 307 $args; }
            }
            """
        }
        let configuration = NginxConfiguration(
            http: """
                access_log off;
                map $ssl_client_s_dn $who {
                    default "$ssl_client_s_dn|$ssl_session_reused|$connection";
                }
                ssl_certificate \(certificates.certificate);
                ssl_certificate_key \(certificates.key);
                ssl_protocols \(version);
                ssl_verify_depth 3;
                # libcurl takes no tickets before TLS 1.3.
                ssl_session_cache shared:sessions:1m;
                \(servers.joined(separator: "\n"))
                """)
        process = try await ServerProcess.nginx(configuration, in: directory, ports: ports)
    }

    /// The PEM file of the authority to trust.
    package var authority: URL { URL(fileURLWithPath: certificates.authority) }

    package func url(_ path: String, _ asking: Asking, host: String = "localhost") -> String {
        "https://\(host):\(ports[asking.rawValue].number)/\(path)"
    }

    /// Reads the body of `/who`.
    package static func client(_ body: Data) throws -> Client {
        let text = String(decoding: body, as: UTF8.self)
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 3, let connection = Int(parts[2]) else {
            throw ServerFailure("nginx said \(text)")
        }
        let name = parts[0].isEmpty ? nil : String(parts[0])
        return Client(name: name, isResumed: parts[1] == "r", connection: connection)
    }

    package func stop() { process.stop() }
}

extension MutualTLSServer.Asking {
    fileprivate var directives: String {
        switch self {
        case .nobody: ""
        case .a: "ssl_verify_client optional; ssl_client_certificate a.pem;"
        case .b: "ssl_verify_client optional; ssl_client_certificate b.pem;"
        case .anybody: "ssl_verify_client optional_no_ca;"
        }
    }
}
