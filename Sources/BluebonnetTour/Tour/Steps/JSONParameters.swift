import Bluebonnet
import BluebonnetTourServer

/// Sends a value as JSON, and decodes the response.
enum JSONParameters: TourStep {
    static let title = "POST JSON"

    static let code = """
        api.requestSerializer = JSONRequestSerializer()
        let flax = Flower(name: "flax", petals: 5)
        let added = try await api.post(
            "flowers", parameters: flax, as: Flower.self)
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        api.requestSerializer = JSONRequestSerializer()
        let flax = Flower(name: "flax", petals: 5)
        let added = try await api.post(
            "flowers", parameters: flax, as: Flower.self)
        return StepOutcome(held: added == flax, text: "the server added \(added.name)")
    }
}
