extension NginxServer {
    /// Returns a configuration with the same locations on a plain port and on a TLS port.
    static func configuration(
        in directory: ServerDirectory, _ certificates: TestCertificates, plainPort: UInt16,
        securePort: UInt16
    ) -> NginxConfiguration {
        let files = "\(directory.path)/files/"
        let passwords = directory.path(of: "passwords")
        return NginxConfiguration(
            http: """
                log_format test '$request_method $request_uri $status $server_protocol';
                access_log access.log test;
                default_type application/octet-stream;
                types { text/plain txt; text/html html; application/json json; }
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
                        auth_basic_user_file \(passwords);
                        alias \(files);
                    }
                    location /uploads/ {
                        dav_methods PUT DELETE;
                        create_full_put_path on;
                        alias \(directory.path)/uploads/;
                    }
                    location /private-uploads/ {
                        auth_basic "Bluebonnet";
                        auth_basic_user_file \(passwords);
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
                """)
    }

    private static var redirects: String {
        [301, 302, 303, 307, 308]
            .map { status in
                let place = "$scheme://$http_host/$1$is_args$args"
                return "    location ~ ^/redirect/\(status)/(.*)$ { return \(status) \(place); }"
            }
            .joined(separator: "\n")
    }
}
