import BluebonnetTestSupport
import Foundation

/// An nginx with HTTP/2 in plain text and over TLS, which runs during the object's lifetime.
final class MultiplexingServer: Sendable {
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let ports: (plain: ReservedPort, secure: ReservedPort)

    /// Serves `/text`, `/numbered`, `/slow` at this many bytes per second, and `/trailer` with three fields.
    init(
        maximumStreams: Int = 128, slowRate: Int = 40_000, requestsPerConnection: Int = 100_000
    ) async throws {
        let directory = try ServerDirectory()
        certificates = try await TestCertificates.make(in: directory)
        ports = (try ReservedPort(), try ReservedPort())
        let (plain, secure) = (ports.plain.number, ports.secure.number)
        let configuration = NginxConfiguration(
            http: """
                access_log off; root .; default_type text/plain; log_format number $http_number;
                keepalive_requests \(requestsPerConnection);
                http2_max_concurrent_streams \(maximumStreams);
                server {
                    listen 127.0.0.1:\(plain) http2; listen 127.0.0.1:\(secure) ssl http2;
                    ssl_protocols TLSv1.3;
                    ssl_certificate \(certificates.certificate);
                    ssl_certificate_key \(certificates.key);
                    location /text { return 200 "text $connection"; }
                    location /numbered { access_log numbers number; return 200 "numbered"; }
                    location /slow { limit_rate \(slowRate); }
                    location /trailer {
                        # A response that can be changed has no length, which a trailer requires.
                        sub_filter zzz yyy; sub_filter_types *;
                        add_trailer A 1; add_trailer B 2; add_trailer C 3;
                    }
                }
                """)
        try directory.write(Data(count: 100_000), to: "slow")
        try directory.write("body", to: "trailer")
        process = try await ServerProcess.nginx(
            configuration, in: directory, ports: [ports.plain, ports.secure])
    }

    /// The `Number` fields of the requests that `/numbered` has processed.
    var processedNumbers: [Int] {
        directory.text(of: "numbers").split(separator: "\n").compactMap { Int($0) }
    }

    /// The directory of the served files.
    var directory: ServerDirectory { process.directory }

    var plainPort: UInt16 { ports.plain.number }

    var securePort: UInt16 { ports.secure.number }

    /// The PEM file of the authority to trust.
    var authority: String { certificates.authority }
}
