import Bluebonnet
import BluebonnetTourServer

/// Reads a body while it arrives.
enum StreamedBody: TourStep {
    static let title = "stream"

    static let code = """
        for try await piece in try await api.stream("chunked/1000000") {
            body += piece
        }
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        var body = Data()
        var pieces = 0
        for try await piece in try await api.stream("chunked/1000000") {
            body += piece
            pieces += 1
        }
        return StepOutcome(
            held: body == TourRoutes.content(1_000_000),
            text: "\(body.count) bytes in \(pieces) pieces")
    }
}
