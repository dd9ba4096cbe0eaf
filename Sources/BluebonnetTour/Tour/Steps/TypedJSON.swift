import Bluebonnet
import BluebonnetTourServer

/// Decodes a JSON response.
enum TypedJSON: TourStep {
    static let title = "typed JSON"

    static let code = """
        let flowers = try await api.get(
            "flowers", parameters: ["petals": 5], as: [Flower].self)
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let flowers = try await api.get(
            "flowers", parameters: ["petals": 5], as: [Flower].self)
        let names = flowers.map { "\($0.name) has \($0.petals) petals" }
        return StepOutcome(
            held: flowers == [Flower(name: "bluebonnet", petals: 5)],
            text: names.joined(separator: ", "))
    }
}
