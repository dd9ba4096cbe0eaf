import BluebonnetTestSupport
import Foundation

/// nginx on loopback ports, which serves the benchmark's files from the workspace.
///
/// Its configuration minimizes the CPU time that it takes from the clients.
struct FileServer {
    private let ports: [NginxListener: ReservedPort]
    private let sizes: [ServedFile: Int]
    private let directory: ServerDirectory
    /// The certificates of the encrypted ports.
    private let certificates: TestCertificates?

    static func start(
        in workspace: Workspace, serving files: Set<ServedFile>,
        on listeners: Set<NginxListener> = [.plain]
    ) throws -> Self {
        let directory = workspace.files
        let served = directory.file("files")
        try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
        var sizes: [ServedFile: Int] = [:]
        for file in files {
            sizes[file] = try file.write(into: served)
        }
        var ports: [NginxListener: ReservedPort] = [:]
        for listener in listeners.union([.plain]) {
            ports[listener] = try ReservedPort()
        }
        let certificates =
            listeners.contains(where: \.isEncrypted)
            ? try runBlocking { try await TestCertificates.make(in: directory) } : nil
        let server = FileServer(
            ports: ports, sizes: sizes, directory: directory, certificates: certificates)
        let configuration = server.configuration
        let process = try runBlocking { [ports] in
            try await ServerProcess.nginx(
                configuration, in: directory, ports: Array(ports.values))
        }
        workspace.keep(process)
        return server
    }

    func url(of benchmarkCase: BenchmarkCase) -> String {
        let folder =
            switch benchmarkCase.work {
            case .post: "posts/"
            case .upload: "uploads/"
            default: ""
            }
        return url(of: benchmarkCase.file, in: folder, on: benchmarkCase.listener)
    }

    func url(of file: ServedFile, in folder: String = "", on listener: NginxListener) -> String {
        let port = ports[listener]?.number ?? 0
        return "\(listener.isEncrypted ? "https" : "http")://127.0.0.1:\(port)/\(folder)"
            + file.rawValue
    }

    /// Returns the path of the file that a case reads, writes or trusts, or nil if it needs none.
    func path(for benchmarkCase: BenchmarkCase) -> String? {
        switch benchmarkCase.work {
        case .upload: directory.path(of: "files/\(benchmarkCase.file.rawValue)")
        case .download: directory.path(of: "downloaded")
        default: benchmarkCase.listener.isEncrypted ? certificates?.authority : nil
        }
    }

    func size(of file: ServedFile) -> Int? {
        sizes[file]
    }

    private var configuration: NginxConfiguration {
        var configuration = NginxConfiguration(
            http: """
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000000;
                keepalive_timeout 600s;
                open_file_cache max=16 inactive=600s;
                default_type application/octet-stream;
                types { application/json json; }
                \(NginxListener.allCases.compactMap(section).joined(separator: "\n"))
                """)
        configuration.connections = 4096
        configuration.openFiles = FileLimit.openFiles
        configuration.logLevel = "warn"
        return configuration
    }

    private func section(_ listener: NginxListener) -> String? {
        guard let port = ports[listener] else { return nil }
        return """
            server {
                \(listener.directives(port: port.number))
                \(listener.isEncrypted ? identity : "")
                root files;
                location /posts/ {
                    default_type application/json;
                    return 200 '\(ServedFile.smallText)';
                }
                location /uploads/ {
                    root .;
                    client_max_body_size 0;
                    dav_methods PUT;
                    create_full_put_path on;
                }
            }
            """
    }

    private var identity: String {
        guard let certificates else { return "" }
        return """
            ssl_certificate "\(certificates.certificate)";
            ssl_certificate_key "\(certificates.key)";
            ssl_protocols TLSv1.3;
            """
    }
}
