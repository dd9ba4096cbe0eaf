import Bluebonnet
import BluebonnetTourServer

/// Downloads to a file, which appears complete or not at all.
enum DownloadedFile: TourStep {
    static let title = "download"

    static let code = """
        let file = try await api.download(
            "big.bin", to: directory.appending(path: "big.bin"),
            options: .downloadProgress { show($0) })
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let (api, directory) = (stage.api, stage.directory)
        let reports = Count()
        let show: @Sendable (Progress) -> Void = { _ in reports.increment() }
        let file = try await api.download(
            "big.bin", to: directory.appending(path: "big.bin"),
            options: .downloadProgress { show($0) })
        let content = TourRoutes.content(TourRoutes.bigCount)
        return StepOutcome(
            held: try Data(contentsOf: file) == content && reports.current > 0,
            text: "\(content.count) bytes, \(reports.current) reports of progress")
    }
}
