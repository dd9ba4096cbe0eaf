import Glibc

/// The text of `nginx.conf`, with the lines that all servers share.
///
/// nginx writes all files in its directory. If root starts it, its worker also runs as root, so
/// that it can access them.
package struct NginxConfiguration: Sendable {
    /// The directives within `http`.
    package var http: String
    /// The largest number of connections at a time.
    package var connections = 1024
    /// The largest number of open files; nil for the limit of this process.
    package var openFiles: Int?
    /// The lowest severity that is logged.
    package var logLevel = "notice"

    package init(http: String) {
        self.http = http
    }

    package var text: String {
        """
        \(geteuid() == 0 ? "user root;" : "")
        daemon off;
        worker_processes 1;
        \(openFiles.map { "worker_rlimit_nofile \($0);" } ?? "")
        pid nginx.pid;
        error_log stderr \(logLevel);
        events { worker_connections \(connections); }
        http {
            client_body_temp_path client_body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
        \(http)
        }

        """
    }
}

extension ServerProcess {
    /// Starts nginx and waits until it listens on its ports.
    package static func nginx(
        _ configuration: NginxConfiguration, in directory: ServerDirectory, ports: [ReservedPort]
    ) async throws -> ServerProcess {
        try directory.write(configuration.text, to: "nginx.conf")
        return try await start(
            InstalledProgram(name: "nginx").locate(),
            ["-e", "stderr", "-p", directory.path, "-c", "nginx.conf"],
            in: directory, ports: ports)
    }
}
