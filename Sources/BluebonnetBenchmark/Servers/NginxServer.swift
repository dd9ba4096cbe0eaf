import Foundation
import Glibc

/// nginx on loopback ports, serving the benchmark's files from the workspace.
struct NginxServer {
    private let ports: [NginxListener: UInt16]
    private let sizes: [ServedFile: Int]
    private let directory: URL

    static func start(
        in workspace: Workspace, serving files: Set<ServedFile>,
        on listeners: Set<NginxListener> = [.plain]
    ) throws -> Self {
        let served = workspace.directory.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
        var sizes: [ServedFile: Int] = [:]
        for file in files {
            sizes[file] = try file.write(into: served)
        }
        if listeners.contains(where: \.isEncrypted) {
            _ = try ServerCertificates.make(in: workspace)
        }
        var ports: [NginxListener: UInt16] = [:]
        for listener in listeners.union([.plain]) {
            ports[listener] = try LoopbackSocket.freePort()
        }
        let configuration = NginxConfiguration(
            directory: workspace.directory, files: served, ports: ports
        )
        try launch(configuration.text, port: ports[.plain] ?? 0, in: workspace)
        return NginxServer(ports: ports, sizes: sizes, directory: workspace.directory)
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
        "\(listener.isEncrypted ? "https" : "http")://127.0.0.1:\(ports[listener] ?? 0)/"
            + folder + file.rawValue
    }

    /// The file that a case reads from, writes to or trusts; nil for one that needs none.
    func path(for benchmarkCase: BenchmarkCase) -> String? {
        switch benchmarkCase.work {
        case .upload:
            return directory.appendingPathComponent("files/\(benchmarkCase.file.rawValue)").path
        case .download:
            return directory.appendingPathComponent("downloaded").path
        default:
            guard benchmarkCase.listener.isEncrypted else { return nil }
            return ServerCertificates(directory: directory).authority.path
        }
    }

    func size(of file: ServedFile) -> Int? {
        sizes[file]
    }

    /// Starts nginx, and waits until it listens on a port.
    static func launch(_ configuration: String, port: UInt16, in workspace: Workspace) throws {
        let executable = try InstalledProgram(name: "nginx").locate()
        let file = workspace.directory.appendingPathComponent("nginx.conf")
        try Data(configuration.utf8).write(to: file)
        let log = workspace.directory.appendingPathComponent("nginx.log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = executable
        process.arguments = ["-e", "stderr", "-c", file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: log)
        // The master must get to stop its worker, which would stay otherwise.
        try workspace.start(process, stopSignal: SIGTERM)
        for _ in 0..<500 where process.isRunning {
            if LoopbackSocket.accepts(port: port) {
                return
            }
            usleep(10_000)
        }
        let messages = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw BenchmarkFailure("nginx did not start: \(messages)")
    }
}
