import Bluebonnet

/// Uploads a file, which is read while it is sent.
enum UploadedFile: TourStep {
    static let title = "upload"

    static let code = """
        let receipt = try await api.upload(
            .file(file), to: "upload", method: .put, as: Receipt.self,
            options: .uploadProgress { bar.update($0) })
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
        let receipt = try await stage.withBar("upload.bin") { bar in
            let receipt = try await api.upload(
                .file(file), to: "upload", method: .put, as: Receipt.self,
                options: .uploadProgress { bar.update($0) })
            return receipt
        }
        return StepOutcome(
            held: receipt.same && receipt.bytes == TourRoutes.bigCount,
            text: "the server read \(ByteCountText.text(Int64(receipt.bytes)))")
    }
}
