import Foundation
import Glibc

/// nginx with a port for each certificate of a ``TestPKI``.
///
/// It answers with what it knows of the connection: `new` or `resumed`, and the number of the
/// request on it. `/once` closes the connection afterwards, and `/to/HOST:PORT/PATH` redirects there.
final class CertificateServer: Sendable {
    let pki: TestPKI
    private let process: ServerProcess
    private let ports: [TestPKI.Server: ReservedPort]

    /// Starts nginx, which speaks HTTP/2 too if it should.
    init(speaksHTTP2: Bool = false) async throws {
        let directory = try ServerDirectory()
        pki = try await TestPKI.make(in: directory)
        var ports: [TestPKI.Server: ReservedPort] = [:]
        for server in TestPKI.Server.allCases { ports[server] = try ReservedPort() }
        self.ports = ports
        try directory.write(
            Self.configuration(ports, speaksHTTP2 ? " http2" : ""), to: "nginx.conf")
        process = try await ServerProcess.start(
            InstalledProgram(name: "nginx").locate(),
            ["-e", "stderr", "-p", directory.path, "-c", "nginx.conf"],
            in: directory, ports: Array(ports.values))
    }

    func port(_ server: TestPKI.Server) -> Int { Int(ports[server]?.number ?? 0) }

    /// The host under which a certificate is asked for.
    static func host(_ server: TestPKI.Server) -> String {
        switch server {
        case .ipAddress: "127.0.0.1"
        case .wildcard, .partialWildcard: "a.bluebonnet.test"
        default: "localhost"
        }
    }

    func url(_ server: TestPKI.Server, _ path: String = "", host: String? = nil) -> String {
        "https://\(host ?? Self.host(server)):\(port(server))/\(path)"
    }

    private static func configuration(
        _ ports: [TestPKI.Server: ReservedPort],
        _ option: String
    ) -> String {
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
        return """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr notice;
            events { worker_connections 1024; }
            http {
                access_log off;
                ssl_session_cache shared:sessions:1m;
                map $ssl_session_reused $session { r resumed; default new; }
                client_body_temp_path client_body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
            \(servers.joined(separator: "\n"))
            }

            """
    }
}
