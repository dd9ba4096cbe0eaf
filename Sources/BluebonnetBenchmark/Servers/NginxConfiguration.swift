import Foundation
import Glibc

/// A configuration under which the server costs as little as it can beside the clients.
struct NginxConfiguration {
    let directory: URL
    let files: URL
    let ports: [NginxListener: UInt16]

    var text: String {
        """
        \(user)
        daemon off;
        worker_processes 1;
        worker_rlimit_nofile \(FileLimit.openFiles);
        pid "\(directory.path)/nginx.pid";
        error_log stderr warn;
        events { worker_connections 4096; }
        http {
            access_log off;
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000000;
            keepalive_timeout 600s;
            open_file_cache max=16 inactive=600s;
            default_type application/octet-stream;
            types { application/json json; }
            client_body_temp_path "\(directory.path)/client_body";
            proxy_temp_path "\(directory.path)/proxy";
            fastcgi_temp_path "\(directory.path)/fastcgi";
            uwsgi_temp_path "\(directory.path)/uwsgi";
            scgi_temp_path "\(directory.path)/scgi";
        \(NginxListener.allCases.compactMap(server).joined(separator: "\n"))
        }

        """
    }

    private func server(_ listener: NginxListener) -> String? {
        guard let port = ports[listener] else { return nil }
        return """
                server {
                    \(listener.directives(port: port))
                    \(listener.isEncrypted ? certificate : "")
                    root "\(files.path)";
                    location /posts/ {
                        default_type application/json;
                        return 200 '\(ServedFile.smallText)';
                    }
                    location /uploads/ {
                        root "\(directory.path)";
                        client_max_body_size 0;
                        dav_methods PUT;
                        create_full_put_path on;
                    }
                }
            """
    }

    private var certificate: String {
        let certificates = ServerCertificates(directory: directory)
        return """
            ssl_certificate "\(certificates.chain.path)";
            ssl_certificate_key "\(certificates.key.path)";
            ssl_protocols TLSv1.3;
            """
    }

    /// Started by root, the worker would otherwise be a user who may not read the files.
    private var user: String {
        geteuid() == 0 ? "user root;" : ""
    }
}
