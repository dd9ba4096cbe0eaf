import Bluebonnet

/// Sends parameters as a form.
enum FormParameters: TourStep {
    static let title = "POST a form"

    static let code = """
        let echo = try await api.post(
            "echo", parameters: ["name": "flax", "petals": 5], as: Echo.self)
        """

    /// The server's description of the request.
    private struct Echo: Decodable, Sendable {
        var body: String
    }

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let echo = try await api.post(
            "echo", parameters: ["name": "flax", "petals": 5], as: Echo.self)
        return StepOutcome(
            held: echo.body == "name=flax&petals=5", text: "the server read \(echo.body)")
    }
}
