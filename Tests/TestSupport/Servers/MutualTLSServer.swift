package import Foundation

/// nginx on loopback ports that differ in the client certificate they request.
///
/// | path | what it does |
/// | --- | --- |
/// | `/who` | returns the client's name, whether the TLS session was resumed, and the connection |
/// | `/who-once` | the same, and closes the connection |
/// | `/slow` | a head at once, and a slow body |
/// | `/to?place` | a redirect to the place |
///
/// Its certificate names `localhost` and 127.0.0.1.
package final class MutualTLSServer: Sendable {
    /// The client certificate that a port requests.
    package enum Asking: Int, CaseIterable {
        /// No certificate.
        case nobody
        /// One from the authority `a`.
        case a
        /// One from the authority `b`.
        case b
        /// One from any authority.
        case anybody
    }

    /// The server's view of a client.
    package struct Client: Equatable {
        /// The subject of the client's certificate; nil without one.
        package var name: String?
        package var isResumed: Bool
        package var connection: Int
    }

    private let process: ServerProcess
    private let certificates: TestCertificates
    private let ports: [ReservedPort]

    /// Starts nginx with the authorities of these identities, for one version of TLS.
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

    /// Returns the client that the body of `/who` describes.
    package static func client(_ body: Data) throws -> Client {
        let text = String(decoding: body, as: UTF8.self)
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 3, let connection = Int(parts[2]) else {
            throw ServerFailure("unexpected response of nginx: \(text)")
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
