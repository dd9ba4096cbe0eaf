import BluebonnetTransport

/// The size limits of a response, which apply regardless of the transport's own limits.
final class ResponseLimits: Sendable {
    private let limits: Exchange.Limits
    /// The maximum size of a body that goes to a file or a stream, in bytes.
    private let streamedBodySize: Int
    /// The maximum size of the body in the error of a download or stream, in bytes.
    let errorBodySize: Int

    init(_ limits: Exchange.Limits, _ configuration: SessionConfiguration) {
        self.limits = limits
        streamedBodySize = configuration.maximumStreamedBodySize.map { max(0, $0) } ?? .max
        errorBodySize = max(0, min(configuration.maximumErrorBodySize, limits.bodySize))
    }

    /// Returns the failure of a head that exceeds a limit, or nil.
    func failure(of head: Exchange.Head) -> Exchange.Failure? {
        if head.block.size > limits.headSize { return .headTooLarge(limits.headSize) }
        return head.block.count > limits.fieldCount ? .tooManyFields(limits.fieldCount) : nil
    }

    /// Returns the failure of a trailer that exceeds a limit, or nil.
    func failure(ofTrailer fields: [Exchange.Field]) -> Exchange.Failure? {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        if size > limits.trailerSize { return .trailerTooLarge(limits.trailerSize) }
        return fields.count > limits.trailerFieldCount
            ? .tooManyTrailerFields(limits.trailerFieldCount) : nil
    }

    /// Returns the failure of a body with so many bytes if that exceeds the limit, or nil.
    func failure(
        ofBody count: Int, _ limit: Reception.Received.Limit
    ) -> Exchange.Failure? {
        let limit =
            switch limit {
            case .memory: limits.bodySize
            case .streamed: streamedBodySize
            case .heldBack: max(limits.bodySize, Exchange.Limits.droppedBodySize)
            }
        return count > limit ? .bodyTooLarge(limit) : nil
    }
}
