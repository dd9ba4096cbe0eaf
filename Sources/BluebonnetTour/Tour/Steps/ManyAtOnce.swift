import Bluebonnet

/// Sends ten requests at once.
enum ManyAtOnce: TourStep {
    static let title = "ten at once"

    static let code = """
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<10 { group.addTask { try await api.get("delay/50") } }
            for try await body in group { bodies.append(body) }
        }
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        var bodies: [Data] = []
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<10 { group.addTask { try await api.get("delay/50") } }
            for try await body in group { bodies.append(body) }
        }
        let time = Int((ContinuousClock.now - start) / .milliseconds(1))
        return StepOutcome(
            held: bodies.count == 10, text: "each takes 50 ms, all of them took \(time) ms")
    }
}
