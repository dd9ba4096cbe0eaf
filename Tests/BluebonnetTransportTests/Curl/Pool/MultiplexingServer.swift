import Foundation
import Glibc

/// nginx with HTTP/2 in plain text and over TLS, run by a test for as long as the object lives.
final class MultiplexingServer {
    let directory: URL
    private let command: SpawnedCommand
    let plainPort: UInt16
    let securePort: UInt16
    var authority: String { directory.appendingPathComponent("ca.pem").path }

    /// Serves `/text`, `/slow` at that many bytes in a second, and `/trailer` with three fields.
    init(maximumStreams: Int = 128, slowRate: Int = 40_000) async throws {
        directory = try TLSServer.makeCertificates()
        (plainPort, securePort) = Self.freePorts()
        let configuration = """
            daemon off; master_process off; pid nginx.pid; error_log stderr crit;
            events { worker_connections 512; }
            http {
              access_log off; root .; default_type text/plain; keepalive_requests 100000;
              client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u;
              scgi_temp_path s; http2_max_concurrent_streams \(maximumStreams);
              server {
                ssl_protocols TLSv1.3; listen 127.0.0.1:\(plainPort) http2; listen 127.0.0.1:\(securePort) ssl http2;
                ssl_protocols TLSv1.3; ssl_certificate s.pem; ssl_certificate_key s.key;
                location /text { return 200 "text $connection"; }
                location /slow { limit_rate \(slowRate); }
                location /trailer {
                  # What may be changed has no length, without which there is a trailer.
                  sub_filter zzz yyy; sub_filter_types *;
                  add_trailer A 1; add_trailer B 2; add_trailer C 3;
                }
              }
            }
            """
        try Data(configuration.utf8).write(to: directory.appendingPathComponent("nginx.conf"))
        try Data(count: 100_000).write(to: directory.appendingPathComponent("slow"))
        try Data("body".utf8).write(to: directory.appendingPathComponent("trailer"))
        let words = ["nginx", "-p", directory.path, "-c", "nginx.conf"]
        command = try SpawnedCommand(["PATH=/usr/sbin:/usr/bin:/bin"] + words, in: directory)
        let port = securePort
        _ = await SystemSockets.settles { SystemSockets.isListening(on: port) }
    }

    private static func freePorts() -> (UInt16, UInt16) {
        let sockets = (ListeningSocket(), ListeningSocket())
        return withExtendedLifetime(sockets) { (sockets.0.port, sockets.1.port) }
    }

    deinit {
        command.kill()
        try? FileManager.default.removeItem(at: directory)
    }
}
