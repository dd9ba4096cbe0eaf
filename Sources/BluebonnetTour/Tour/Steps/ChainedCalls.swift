import Bluebonnet
import BluebonnetChain
import BluebonnetTourServer

/// Makes a request by a chain of calls, as Alamofire does.
enum ChainedCalls: TourStep {
    static let title = "Alamofire's chain"

    static let code = """
        let flowers = try await api.request("flowers", parameters: ["petals": 3])
            .validate()
            .serializingDecodable([Flower].self)
            .value
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let flowers = try await api.request("flowers", parameters: ["petals": 3])
            .validate()
            .serializingDecodable([Flower].self)
            .value
        return StepOutcome(
            held: flowers == [Flower(name: "trillium", petals: 3)],
            text: "\(flowers.count) flower has 3 petals")
    }
}
