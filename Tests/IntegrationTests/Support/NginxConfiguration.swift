import Foundation
import Glibc

/// What an ``NginxServer`` serves: the same locations on a plain and on a TLS port.
struct NginxConfiguration {
    let directory: ServerDirectory
    let certificates: TestCertificates
    let plainPort: UInt16
    let securePort: UInt16

    var text: String {
        """
        \(user)
        daemon off;
        worker_processes 1;
        pid nginx.pid;
        error_log stderr notice;
        events { worker_connections 1024; }
        http {
            log_format test '$request_method $request_uri $status $server_protocol';
            access_log access.log test;
            default_type application/octet-stream;
            types { text/plain txt; text/html html; application/json json; }
            client_body_temp_path client_body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            server {
                listen 127.0.0.1:\(plainPort);
                listen 127.0.0.1:\(securePort) ssl http2;
                server_name localhost;
                ssl_certificate \(certificates.certificate);
                ssl_certificate_key \(certificates.key);
                gzip_types *;
                gzip_min_length 1;
                client_max_body_size 0;
                location /files/ { alias \(files); }
                location /gzip/ { gzip on; alias \(files); }
                location /slow/ { limit_rate 64k; alias \(files); }
                location /private/ {
                    auth_basic "Bluebonnet";
                    auth_basic_user_file \(directory.path(of: "passwords"));
                    alias \(files);
                }
                location /uploads/ {
                    dav_methods PUT DELETE;
                    create_full_put_path on;
                    alias \(directory.path)/uploads/;
                }
                location /private-uploads/ {
                    auth_basic "Bluebonnet";
                    auth_basic_user_file \(directory.path(of: "passwords"));
                    dav_methods PUT;
                    alias \(directory.path)/uploads/;
                }
                location /limited/ {
                    client_max_body_size 1k;
                    dav_methods PUT;
                    alias \(directory.path)/uploads/;
                }
        \(redirects)
            }
        }

        """
    }

    private var files: String { "\(directory.path)/files/" }

    private var redirects: String {
        [301, 302, 303, 307, 308]
            .map { status in
                let place = "$scheme://$http_host/$1$is_args$args"
                return
                    "        location ~ ^/redirect/\(status)/(.*)$ { return \(status) \(place); }"
            }
            .joined(separator: "\n")
    }

    /// Started by root, the worker would otherwise be a user who may not read the files.
    private var user: String {
        geteuid() == 0 ? "user root;" : ""
    }
}
