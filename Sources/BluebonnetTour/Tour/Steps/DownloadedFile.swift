import Bluebonnet

/// Downloads to a file, which appears complete or not at all.
enum DownloadedFile: TourStep {
    static let title = "download"

    static let code = """
        let file = try await api.download(
            "big.bin", to: directory.appending(path: "big.bin"),
            options: .downloadProgress { bar.update($0) })
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let (api, directory) = (stage.api, stage.directory)
        let file = try await stage.withBar("big.bin") { bar in
            let file = try await api.download(
                "big.bin", to: directory.appending(path: "big.bin"),
                options: .downloadProgress { bar.update($0) })
            return file
        }
        let content = TourRoutes.content(TourRoutes.bigCount)
        return StepOutcome(
            held: try Data(contentsOf: file) == content,
            text: "\(ByteCountText.text(Int64(content.count))) in \(file.lastPathComponent)")
    }
}
