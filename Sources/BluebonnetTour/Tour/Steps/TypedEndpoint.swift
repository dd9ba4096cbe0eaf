import Bluebonnet
import BluebonnetTourServer

/// Describes an endpoint by a type.
enum TypedEndpoint: TourStep {
    static let title = "typed endpoint"

    static let code = """
        struct GetFlowers: APIRequest {
            typealias Response = [Flower]
            var path: String { "/flowers" }
        }
        let flowers = try await APIClient(baseURL: url, session: api)
            .send(GetFlowers())
        """

    struct GetFlowers: APIRequest {
        typealias Response = [Flower]
        var path: String { "/flowers" }
    }

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let (api, url) = (stage.api, stage.url)
        let flowers = try await APIClient(baseURL: url, session: api)
            .send(GetFlowers())
        let names = flowers.map(\.name)
        return StepOutcome(
            held: names == ["bluebonnet", "trillium"], text: names.joined(separator: ", "))
    }
}
