import BluebonnetTransport

/// How much a response may hold, whatever a transport makes of the exchange's own limits.
struct ResponseLimits {
    private let limits: Exchange.Limits
    /// Bytes of a body that goes to a file or a stream.
    private let streamedBodySize: Int

    init(_ limits: Exchange.Limits, _ configuration: SessionConfiguration) {
        self.limits = limits
        streamedBodySize = configuration.maximumStreamedBodySize.map { max(0, $0) } ?? .max
    }

    /// What is wrong with a head; nil for nothing.
    func failure(of head: Exchange.Head) -> Exchange.Failure? {
        if head.block.size > limits.headSize { return .headTooLarge(limits.headSize) }
        return head.block.count > limits.fieldCount ? .tooManyFields(limits.fieldCount) : nil
    }

    /// What is wrong with a trailer; nil for nothing.
    func failure(ofTrailer fields: [Exchange.Field]) -> Exchange.Failure? {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        if size > limits.trailerSize { return .trailerTooLarge(limits.trailerSize) }
        return fields.count > limits.trailerFieldCount
            ? .tooManyTrailerFields(limits.trailerFieldCount) : nil
    }

    /// What is wrong with a body of so many bytes; nil for nothing.
    func failure(ofBody count: Int, on flow: BodyFlow) -> Exchange.Failure? {
        let limit = if case .memory = flow { limits.bodySize } else { streamedBodySize }
        return count > limit ? .bodyTooLarge(limit) : nil
    }

    /// What is wrong with so much of the body of a redirect or a challenge; nil for nothing.
    ///
    /// It is far more than a transport that is told to pause may still have on its way.
    func failure(ofHeldBody count: Int) -> Exchange.Failure? {
        let limit = max(limits.bodySize, Self.largestHeldBody)
        return count > limit ? .bodyTooLarge(limit) : nil
    }

    private static let largestHeldBody = 32 * 1024 * 1024

    /// The same for a body that a head announces, where it has no content coding.
    func failure(ofBodyAfter head: ResponseHead, on flow: BodyFlow) -> Exchange.Failure? {
        guard head.isUncoded, let length = head.expectedContentLength else { return nil }
        return failure(ofBody: Int(clamping: length), on: flow)
    }
}
