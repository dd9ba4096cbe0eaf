import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation

/// The server of a scenario, which runs during the object's lifetime.
final class ScenarioServer: Sendable {
    /// The modification date of every file.
    static let modified = Date(timeIntervalSince1970: 1_000_000_000)

    let ports: ScenarioPorts
    private let process: ServerProcess?
    private let reserved: [ReservedPort]
    private let silent: ListeningSocket?
    private let broken: FaultServer?

    /// Starts the servers of a scenario, except httpbin, which is passed.
    init(_ scenario: ServerScenario, httpbin: HTTPBinServer? = nil) async throws {
        if let httpbin {
            ports = ScenarioPorts(main: httpbin.port, other: 0)
            (process, reserved, silent, broken) = (nil, [], nil, nil)
            return
        }
        reserved = try [ReservedPort(), ReservedPort()]
        let ports = ScenarioPorts(main: reserved[0].number, other: reserved[1].number)
        self.ports = ports
        guard case .nginx(let locations) = scenario.server else {
            (process, silent, broken) = (nil, nil, nil)
            return
        }
        let silent = try ListeningSocket()
        let broken = try FaultServer(
            FaultScript(
                repeating: [.request, .send(scenario.brokenResponse), .close], count: 4))
        (self.silent, self.broken) = (silent, broken)
        let directory = try ServerDirectory()
        for (name, data) in scenario.files {
            try directory.write(data, to: "files/\(name)")
            try FileManager.default.setAttributes(
                [.modificationDate: Self.modified],
                ofItemAtPath: directory.path(of: "files/\(name)"))
        }
        try directory.write("user:{PLAIN}secret\n", to: "passwords")
        let text =
            locations
            .replacingOccurrences(of: "OTHER", with: "\(ports.other)")
            .replacingOccurrences(of: "SILENT", with: "\(silent.port)")
            .replacingOccurrences(of: "BROKEN", with: "\(broken.port)")
            .replacingOccurrences(of: "DIRECTORY", with: directory.path)
        let configuration = NginxConfiguration(
            http: """
                access_log off;
                server_tokens off;
                default_type text/plain;
                absolute_redirect off;
                gzip_min_length 1;
                server {
                    listen 127.0.0.1:\(ports.main);
                    listen 127.0.0.1:\(ports.other);
                    root \(directory.path);
                \(text)
                }
                """)
        process = try await ServerProcess.nginx(configuration, in: directory, ports: reserved)
    }

    func stop() {
        process?.stop()
        broken?.stop()
    }
}
