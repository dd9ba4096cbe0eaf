import BluebonnetTransport
import FoundationNetworking

// The limits of a body where the transport could not be told of the right one: what becomes of a
// response is known with its head, and a body that is not accepted goes to memory.
extension TaskDelegate {
    /// Refuses at once what would be refused in the end, where the transport was told of no limit.
    func refuseIfTooLarge(_ head: ResponseHead) {
        let limit = session.configuration.maximumResponseBodySize
        if head.declares(moreThan: limit) { abort(with: .transport(.tooLarge(limit), .init())) }
    }

    /// Begins to count what a data task's file may hold; false where more than that is announced.
    func makeRoom(for head: ResponseHead) -> Bool {
        guard let limit = session.configuration.maximumStreamedBodySize else { return true }
        state.withLock { $0.roomInFile = max(0, limit) }
        guard head.declares(moreThan: limit) else { return true }
        abort(with: .transport(.tooLarge(limit), .init()))
        return false
    }

    /// Counts what a file is to take; false where that is too much.
    func takeRoom(for chunks: [Exchange.Chunk]) -> Bool {
        let isEnough = state.withLock { state in
            guard let room = state.roomInFile else { return true }
            let rest = chunks.reduce(room) { $0 - $1.count }
            state.roomInFile = rest
            return rest >= 0
        }
        guard !isEnough, let limit = session.configuration.maximumStreamedBodySize else {
            return true
        }
        abort(with: .transport(.tooLarge(limit), .init()))
        return false
    }
}

extension ResponseHead {
    fileprivate func declares(moreThan limit: Int) -> Bool {
        isUncoded && expectedContentLength ?? 0 > limit
    }
}

extension Exchange.Failure {
    static func redirectTooLarge(_ limit: Int) -> Self {
        Self(
            .dataLengthExceedsMaximum,
            message: "the redirect's body is larger than the limit of \(limit) bytes",
            limit: .redirectBodySize
        )
    }

    static func tooLarge(_ limit: Int) -> Self {
        Self(
            .dataLengthExceedsMaximum,
            message: "the response's body is larger than the limit of \(limit) bytes",
            limit: .bodySize
        )
    }
}
