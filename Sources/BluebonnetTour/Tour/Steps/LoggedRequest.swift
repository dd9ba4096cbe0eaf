import Bluebonnet

/// Logs what became of a request.
enum LoggedRequest: TourStep {
    static let title = "log"

    static let code = """
        let (entries, feed) = AsyncStream.makeStream(of: LogEntry.self)
        let log = api.addMonitor(LogMonitor { entry in feed.yield(entry) })
        _ = try? await api.get("status/404")
        for await entry in entries.prefix(1) { message = entry.message }
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        var message = ""
        let (entries, feed) = AsyncStream.makeStream(of: LogEntry.self)
        let log = api.addMonitor(LogMonitor { entry in feed.yield(entry) })
        _ = try? await api.get("status/404")
        for await entry in entries.prefix(1) { message = entry.message }
        log.cancel()
        let words = message.replacing(stage.url.absoluteString, with: "…/").split(separator: " ")
        return StepOutcome(
            held: message.contains("404"), text: "\(words.prefix(3).joined(separator: " ")) …")
    }
}
