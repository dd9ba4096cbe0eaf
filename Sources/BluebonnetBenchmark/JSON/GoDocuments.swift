import BluebonnetTestSupport
import Foundation

/// Documents that Go's `encoding/json` reads and writes in a separate process.
struct GoDocuments {
    /// The microseconds of CPU time for each document, by round.
    struct Times: Decodable {
        let read: [Double]
        let written: [Double]
    }

    private let program: String
    private let workspace: Workspace

    /// Creates the documents, or returns nil if the Go client was not built.
    init?(in workspace: Workspace) throws {
        let launcher = try ClientLauncher(clients: [])
        guard launcher.hasGo else { return nil }
        program = launcher.program("BluebonnetBenchmarkGo").path
        self.workspace = workspace
    }

    func times(of document: JSONDocument, count: Int, rounds: Int) throws -> Times {
        let file = URL(fileURLWithPath: workspace.files.path(of: "document.json"))
        try document.data.write(to: file)
        let output = try workspace.run(
            SystemCommand(
                program, ["document", document.type, file.path, "\(count)", "\(rounds)"]))
        return try JSONDecoder().decode(Times.self, from: Data(output.utf8))
    }
}
