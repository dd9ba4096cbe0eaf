import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTourServer

/// Runs the tour with a server and a temporary directory.
enum TourProgram {
    /// Runs the tour; returns the exit status.
    static func run(output: Terminal) async -> Int32 {
        do {
            return try await tour(output: output) ? ExitStatus.success : ExitStatus.failure
        } catch {
            Terminal.standardError.print("tour: it could not start: \(error)")
            return ExitStatus.failure
        }
    }

    /// Returns whether all steps held.
    private static func tour(output: Terminal) async throws -> Bool {
        let server = try FixtureServer(routes: TourRoutes.all)
        defer { server.stop() }
        guard let url = URL(string: server.baseURL + "/") else { return false }
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-tour-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let api = TourManager(baseURL: url)
        var tour = Tour(
            stage: TourStage(api: api, url: url, directory: directory, output: output))
        await tour.run()
        return tour.failures == 0
    }
}
