import Foundation
import Glibc

/// nginx on a loopback port, serving the benchmark's files from the workspace.
struct NginxServer {
    private let port: UInt16
    private let sizes: [ServedFile: Int]

    static func start(in workspace: Workspace, serving files: Set<ServedFile>) throws -> Self {
        let served = workspace.directory.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
        var sizes: [ServedFile: Int] = [:]
        for file in files {
            sizes[file] = try file.write(into: served)
        }
        let server = NginxServer(
            port: try LoopbackSocket.freePort(), sizes: sizes, directory: workspace.directory
        )
        let configuration = NginxConfiguration(
            directory: workspace.directory, files: served, port: server.port
        )
        try launch(configuration.text, port: server.port, in: workspace)
        return server
    }

    private let directory: URL

    func url(of file: ServedFile, for work: BenchmarkCase.Work = .get) -> String {
        "http://127.0.0.1:\(port)/\(work == .upload ? "uploads/" : "")\(file.rawValue)"
    }

    /// The file that a case reads from or writes to.
    func path(of file: ServedFile, for work: BenchmarkCase.Work) -> String {
        let name = work == .upload ? "files/\(file.rawValue)" : "downloaded"
        return directory.appendingPathComponent(name).path
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
