import Bluebonnet
import BluebonnetTourServer

/// Uploads a file, which is read while it is sent.
enum UploadedFile: TourStep {
    static let title = "upload"

    static let code = """
        let receipt = try await api.upload(
            .file(file), to: "upload", method: .put, as: Receipt.self,
            options: .uploadProgress { show($0) })
        """

    /// The server's description of the body.
    private struct Receipt: Decodable, Sendable {
        var bytes: Int
        var same: Bool
    }

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let file = stage.directory.appending(path: "upload.bin")
        try TourRoutes.content(TourRoutes.bigCount).write(to: file)
        let reports = Count()
        let show: @Sendable (Progress) -> Void = { _ in reports.increment() }
        let receipt = try await api.upload(
            .file(file), to: "upload", method: .put, as: Receipt.self,
            options: .uploadProgress { show($0) })
        return StepOutcome(
            held: receipt.same && receipt.bytes == TourRoutes.bigCount && reports.current > 0,
            text: "\(receipt.bytes) bytes, \(reports.current) reports of progress")
    }
}
