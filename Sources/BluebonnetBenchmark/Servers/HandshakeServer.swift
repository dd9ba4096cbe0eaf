import BluebonnetTestSupport
import Foundation

/// nginx with a loopback port for each ``TLSCase``, for clients that read the system's authorities.
struct HandshakeServer {
    /// The PEM file of the system's authorities and the authority of the server's certificate.
    let authorities: URL
    private let ports: [TLSCase: ReservedPort]
    private let directory: ServerDirectory

    static func start(in workspace: Workspace) throws -> HandshakeServer {
        let directory = workspace.files
        let certificates = try runBlocking { try await TestCertificates.make(in: directory) }
        let own = try Data(contentsOf: URL(fileURLWithPath: certificates.authority))
        try directory.write(try systemAuthorities() + own, to: "authorities.pem")
        var ports: [TLSCase: ReservedPort] = [:]
        for each in TLSCase.allCases { ports[each] = try ReservedPort() }
        let server = HandshakeServer(
            authorities: directory.file("authorities.pem"), ports: ports, directory: directory)
        let configuration = server.configuration(certificates)
        let process = try runBlocking { [ports] in
            try await ServerProcess.nginx(
                configuration, in: directory, ports: Array(ports.values))
        }
        workspace.keep(process)
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
        "\(each == .plain ? "http" : "https")://127.0.0.1:\(ports[each]?.number ?? 0)/"
    }

    /// Returns the numbers of handshakes in a case that resumed a session and that did not.
    func handshakes(_ each: TLSCase) -> (resumed: Int, full: Int) {
        let lines = directory.data(of: "\(each).log")
        let resumed = lines.count { $0 == UInt8(ascii: "r") }
        return (resumed, lines.count { $0 == UInt8(ascii: ".") })
    }

    private func configuration(_ certificates: TestCertificates) -> NginxConfiguration {
        var configuration = NginxConfiguration(
            http: """
                log_format handshakes "$ssl_session_reused";
                access_log off;
                keepalive_requests 1000000000;
                ssl_certificate "\(certificates.certificate)";
                ssl_certificate_key "\(certificates.key)";
                ssl_protocols TLSv1.3;
                \(TLSCase.allCases.map(section).joined(separator: "\n"))
                """)
        configuration.logLevel = "warn"
        return configuration
    }

    private func section(_ each: TLSCase) -> String {
        let port = ports[each]?.number ?? 0
        return """
            server {
                listen 127.0.0.1:\(port)\(each == .plain ? "" : " ssl");
                keepalive_timeout \(each == .kept ? "600s" : "0");
                ssl_session_tickets \(each == .resumed ? "on" : "off");
                access_log \(each.resumes == nil ? "off" : "\(each).log handshakes");
                location / { return 200 "a blue flower\\n"; }
            }
            """
    }
}
