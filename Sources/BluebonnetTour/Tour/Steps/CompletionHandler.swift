import Bluebonnet

/// Hands the response to a closure, as AFNetworking does.
enum CompletionHandler: TourStep {
    static let title = "completion handler"

    static let code = """
        api.get("json") { response in
            handle(response)
        }
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let response = await stage.response { handle in
            api.get("json") { response in
                handle(response)
            }
        }
        let object = response.object as? [String: Any]
        return StepOutcome(
            held: object?["message"] as? String == "hello",
            text: "status \(response.head?.statusCode ?? 0), \(object?.count ?? 0) keys")
    }
}
