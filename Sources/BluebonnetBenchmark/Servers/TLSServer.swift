import Foundation
import Glibc

/// nginx on loopback ports, one for each ``TLSCase``, whose clients read the system's authorities.
struct TLSServer {
    /// The system's authorities and the one that the server's certificate is of, in PEM.
    let authorities: URL
    private let ports: [TLSCase: UInt16]
    private let directory: URL

    static func start(in workspace: Workspace) throws -> TLSServer {
        let directory = workspace.directory
        let certificates = try ServerCertificates.make(in: workspace)
        let bundle = try systemAuthorities()
        let authorities = directory.appendingPathComponent("authorities.pem")
        let own = try Data(contentsOf: certificates.authority)
        try (bundle + own).write(to: authorities)
        var ports: [TLSCase: UInt16] = [:]
        for each in TLSCase.allCases { ports[each] = try LoopbackSocket.freePort() }
        let server = TLSServer(authorities: authorities, ports: ports, directory: directory)
        try NginxServer.launch(server.configuration, port: ports[.kept] ?? 0, in: workspace)
        return server
    }

    private static func systemAuthorities() throws -> Data {
        let file = URL(fileURLWithPath: "/etc/ssl/certs/ca-certificates.crt")
        guard let data = try? Data(contentsOf: file) else {
            throw BenchmarkFailure("\(file.path) is missing: apt-get install ca-certificates")
        }
        return data
    }

    func url(_ each: TLSCase) -> String {
        "\(each == .plain ? "http" : "https")://127.0.0.1:\(ports[each] ?? 0)/"
    }

    /// How many handshakes of a case's connections resumed a session, and how many did not.
    func handshakes(_ each: TLSCase) -> (resumed: Int, full: Int) {
        let lines = (try? String(contentsOf: log(each), encoding: .utf8)) ?? ""
        let resumed = lines.utf8.count { $0 == UInt8(ascii: "r") }
        return (resumed, lines.utf8.count { $0 == UInt8(ascii: ".") })
    }

    private func log(_ each: TLSCase) -> URL {
        directory.appendingPathComponent("\(each).log")
    }

    private var configuration: String {
        """
        \(geteuid() == 0 ? "user root;" : "")
        daemon off;
        worker_processes 1;
        pid "\(directory.path)/nginx.pid";
        error_log stderr warn;
        events { worker_connections 1024; }
        http {
            log_format handshakes "$ssl_session_reused";
            access_log off;
            keepalive_requests 1000000000;
            ssl_certificate "\(directory.path)/server.pem";
            ssl_certificate_key "\(directory.path)/server.key";
            ssl_protocols TLSv1.3;
            client_body_temp_path "\(directory.path)/client_body";
            proxy_temp_path "\(directory.path)/proxy";
            fastcgi_temp_path "\(directory.path)/fastcgi";
            uwsgi_temp_path "\(directory.path)/uwsgi";
            scgi_temp_path "\(directory.path)/scgi";
        \(TLSCase.allCases.map(section).joined(separator: "\n"))
        }

        """
    }

    private func section(_ each: TLSCase) -> String {
        let port = ports[each] ?? 0
        let logging = each.resumes == nil ? "off" : "\"\(log(each).path)\" handshakes"
        return """
                server {
                    listen 127.0.0.1:\(port)\(each == .plain ? "" : " ssl");
                    keepalive_timeout \(each == .kept ? "600s" : "0");
                    ssl_session_tickets \(each == .resumed ? "on" : "off");
                    access_log \(logging);
                    location / { return 200 "a blue flower\\n"; }
                }
            """
    }
}
