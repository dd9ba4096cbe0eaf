import Bluebonnet

/// Reads events while the server sends them.
enum ServerSentEvents: TourStep {
    static let title = "server-sent events"

    static let code = """
        for try await event in api.events("feed") {
            words.append(event.data)
        }
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        var words: [String] = []
        for try await event in api.events("feed") {
            words.append(event.data)
        }
        return StepOutcome(
            held: words == ["seed", "leaf", "bud", "flower"],
            text: "\(words.count) events: \(words.joined(separator: ", "))")
    }
}
