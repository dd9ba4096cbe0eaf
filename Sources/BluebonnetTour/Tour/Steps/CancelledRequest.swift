import Bluebonnet

/// Cancels a request, whose handler is still called.
enum CancelledRequest: TourStep {
    static let title = "cancel"

    static let code = """
        let task = api.get("hang") { response in handle(response) }
        task.cancel()
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let response = await stage.response { handle in
            let task = api.get("hang") { response in handle(response) }
            task.cancel()
        }
        return StepOutcome(
            held: response.error?.isCancelled == true,
            text: "its handler was called",
            detail: response.error?.description ?? "no error")
    }
}
