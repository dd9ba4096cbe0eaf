import Bluebonnet
import BluebonnetTourServer

/// Resumes a download that was canceled.
enum ResumedDownload: TourStep {
    static let title = "resume a download"

    static let code = """
        let half = api.download(path, to: file, options: options) { end($0) }
        half.cancel(byProducingResumeData: { data in keep(data) })
        let whole = try await api.download(path, resumingWith: data, to: file)
        """

    private static let path = "interrupted"

    /// Cancels a download after a quarter; returns its resume data.
    private static func breakOff(_ api: TourManager, _ file: URL) async -> Data? {
        let (counts, feed) = AsyncStream.makeStream(of: Int64.self)
        let options = RequestOptions.downloadProgress { feed.yield($0.completedUnitCount) }
        let end: @Sendable (Response<URL>) -> Void = { _ in feed.finish() }
        let half = api.download(path, to: file, options: options) { end($0) }
        for await count in counts where count >= TourRoutes.interruptedCount / 4 { break }
        return await withCheckedContinuation { continuation in
            let keep: @Sendable (Data?) -> Void = { continuation.resume(returning: $0) }
            half.cancel(byProducingResumeData: { data in keep(data) })
        }
    }

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let file = stage.directory.appending(path: "resumed.bin")
        guard let data = await breakOff(api, file) else {
            return StepOutcome(held: false, text: "there is no resume data")
        }
        let offset = Locked<Int64>(0)
        defer { api.downloadTaskDidResume = nil }
        api.downloadTaskDidResume = { _, start, _ in offset.withLock { $0 = start } }
        let whole = try await api.download(path, resumingWith: data, to: file)
        let start = offset.withLock { $0 }
        let isWhole = try Data(contentsOf: whole) == TourRoutes.content(TourRoutes.interruptedCount)
        return StepOutcome(
            held: isWhole && start > 0,
            text: "resumed at byte \(start) of \(TourRoutes.interruptedCount)")
    }
}
