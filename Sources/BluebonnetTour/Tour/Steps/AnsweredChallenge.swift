import Bluebonnet
import BluebonnetTourServer

/// Logs in when the server asks; the second request sends the credential at once.
enum AnsweredChallenge: TourStep {
    static let title = "log in"

    static let code = """
        api.didReceiveChallenge = { task, challenge in
            guard challenge.previousFailureCount == 0 else { return .cancel }
            return .useCredential(credential)
        }
        let secret = await api.response(.get, "secret", serializer: .string)
        let again = await api.response(.get, "secret", serializer: .string)
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let credential = URLCredential(
            user: TourRoutes.user, password: TourRoutes.password, persistence: .forSession)
        api.didReceiveChallenge = { task, challenge in
            guard challenge.previousFailureCount == 0 else { return .cancel }
            return .useCredential(credential)
        }
        defer { api.didReceiveChallenge = nil }
        let secret = await api.response(.get, "secret", serializer: .string)
        let again = await api.response(.get, "secret", serializer: .string)
        let exchanges = [secret, again].map { $0.metrics?.exchanges.count ?? 0 }
        let values = [try secret.result.get(), try again.result.get()]
        return StepOutcome(
            held: values == [TourRoutes.secret, TourRoutes.secret] && exchanges == [2, 1],
            text: "read \"\(values[0])\" twice; the server asked once")
    }
}
