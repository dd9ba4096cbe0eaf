/// nginx with a port for each certificate of a ``TestPKI``.
///
/// A response contains `new` or `resumed` for the TLS session, and the number of the request on its
/// connection. `/once` also closes the connection, and `/to/HOST:PORT/PATH` redirects there.
package final class CertificateServer: Sendable {
    package let pki: TestPKI
    private let process: ServerProcess
    private let ports: [TestPKI.Server: ReservedPort]

    /// Starts nginx, with or without HTTP/2.
    package init(speaksHTTP2: Bool = false) async throws {
        let directory = try ServerDirectory()
        pki = try await TestPKI.make(in: directory)
        var ports: [TestPKI.Server: ReservedPort] = [:]
        for server in TestPKI.Server.allCases { ports[server] = try ReservedPort() }
        self.ports = ports
        process = try await ServerProcess.nginx(
            Self.configuration(ports, speaksHTTP2 ? " http2" : ""), in: directory,
            ports: Array(ports.values))
    }

    package func port(_ server: TestPKI.Server) -> Int { Int(ports[server]?.number ?? 0) }

    /// Returns the host of the URLs for a server's certificate.
    package static func host(_ server: TestPKI.Server) -> String {
        switch server {
        case .ipAddress: "127.0.0.1"
        case .wildcard, .partialWildcard: "a.bluebonnet.test"
        default: "localhost"
        }
    }

    package func url(_ server: TestPKI.Server, _ path: String = "", host: String? = nil) -> String {
        "https://\(host ?? Self.host(server)):\(port(server))/\(path)"
    }

    private static func configuration(
        _ ports: [TestPKI.Server: ReservedPort],
        _ option: String
    ) -> NginxConfiguration {
        let servers = ports.map { server, port in
            let files = TestPKI.files(of: server)
            return """
                server {
                    listen 127.0.0.1:\(port.number) ssl\(option);
                    ssl_certificate \(files.chain);
                    ssl_certificate_key \(files.key);
                    location / { return 200 "$session $connection_requests"; }
                    location /once {
                        keepalive_timeout 0;
                        return 200 "$session $connection_requests";
                    }
                    location ~ ^/to/(.*)$ { return 302 https://$1; }
                }
                """
        }
        return NginxConfiguration(
            http: """
                access_log off;
                ssl_session_cache shared:sessions:1m;
                map $ssl_session_reused $session { r resumed; default new; }
                \(servers.joined(separator: "\n"))
                """)
    }
}
