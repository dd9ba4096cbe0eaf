import Bluebonnet

/// Retries a request after the status 503.
enum RetriedRequest: TourStep {
    static let title = "retry after a 503"

    static let code = """
        let options: RequestOptions = [.interceptor(.server), .deadline(5)]
        let answer = await api.response(.get, "busy", options: options)
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let options: RequestOptions = [.interceptor(.server), .deadline(5)]
        let answer = await api.response(.get, "busy", options: options)
        let count = answer.metrics?.exchanges.count ?? 0
        return StepOutcome(
            held: answer.head?.statusCode == 200 && count == 2,
            text: "status \(answer.head?.statusCode ?? 0) at attempt \(count)",
            detail: answer.error?.description)
    }
}
