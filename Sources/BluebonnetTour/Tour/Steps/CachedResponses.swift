import Bluebonnet
import BluebonnetCache
import BluebonnetTourServer

/// Asks twice for what a cache may keep for a minute.
enum CachedResponses: TourStep {
    static let title = "cache"

    static let code = """
        let cached = HTTPSessionManager(
            baseURL: url, transport: CachingTransport())
        let first = try await cached.get("cached/flowers", as: [Flower].self)
        let second = await cached.response(
            .get, "cached/flowers", serializer: flowers)
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let (url, flowers) = (stage.url, DecodableResponseSerializer<[Flower]>())
        let cached = HTTPSessionManager(
            baseURL: url, transport: CachingTransport())
        let first = try await cached.get("cached/flowers", as: [Flower].self)
        let second = await cached.response(
            .get, "cached/flowers", serializer: flowers)
        let status = second.head?.cacheStatuses.first
        await cached.shutdown()
        return StepOutcome(
            held: try second.result.get() == first && status?.isHit == true,
            text: "the second: \(status.map { "\($0)" } ?? "nothing of a cache")")
    }
}
