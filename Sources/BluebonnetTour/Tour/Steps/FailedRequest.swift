import Bluebonnet

/// Reads the error and the body of a failed request.
enum FailedRequest: TourStep {
    static let title = "an error"

    static let code = """
        let response = await api.response(.get, "weeds")
        let problem = response.object as? [String: Any]
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let response = await api.response(.get, "weeds")
        let problem = response.object as? [String: Any]
        let status = response.head?.statusCode ?? 0
        return StepOutcome(
            held: status == 404 && problem?["path"] as? String == "/weeds",
            text: "status \(status), its body says \(problem?["error"] ?? "nothing")",
            detail: response.error?.description ?? "no error")
    }
}
