import Bluebonnet
import BluebonnetTourServer

/// Sends a cookie that an earlier response has set.
enum KeptCookie: TourStep {
    static let title = "keep a cookie"

    static let code = """
        let first = await api.response(.get, "cookie", serializer: .string)
        let second = await api.response(.get, "cookie", serializer: .string)
        let cookies = api.cookieStorage?.cookies ?? []
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let first = await api.response(.get, "cookie", serializer: .string)
        let second = await api.response(.get, "cookie", serializer: .string)
        let cookies = api.cookieStorage?.cookies ?? []
        let values = [try first.result.get(), try second.result.get()]
        return StepOutcome(
            held: values == ["", TourRoutes.cookie]
                && cookies.map { "\($0.name)=\($0.value)" } == [TourRoutes.cookie],
            text: "the second request had \(values[1])")
    }
}
