import Bluebonnet
import FoundationNetworking

extension Flight {
    /// Whether a hook of the leader's task decides what is stored.
    var isDecided: Bool {
        if case .decide = leader.exchange.willCacheResponse { true } else { false }
    }

    /// Asks the hook of the leader's task what is stored of a response; without a hook, all of it.
    ///
    /// - Returns: The Swift task in which the hook decides, or nil if the decision is made.
    @discardableResult
    func propose(
        _ response: StoredResponse, then decide: @escaping @Sendable (StoredResponse?) -> Void
    ) -> Task<Void, Never>? {
        guard let hook = leader.exchange.willCacheResponse else {
            decide(response)
            return nil
        }
        let (request, fields, policy) = (leader.request, leader.exchange.fields, core.policy)
        var proposal = CachedResponse(
            url: leader.exchange.url, statusCode: response.statusCode, fields: response.fields)
        if !response.isAllowedOnDisk { proposal.storagePolicy = .allowedInMemoryOnly }
        let ask: @Sendable (CachedResponse) async -> CachedResponse?
        switch hook {
        case .decide(let closure): ask = closure
        case .observe(let observe):
            observe(proposal)
            decide(response)
            return nil
        }
        let observer = leader.observer
        return Task(executorPreference: observer?.taskExecutor) { [proposal] in
            let answer = await ask(proposal)
            // A hook can change the lifetime, and not what RFC 9111 forbids.
            decide(
                answer.flatMap { answer in
                    answer.storagePolicy == .notAllowed
                        ? nil
                        : response.changed(to: answer)
                            .storable(after: request, with: fields, in: policy)
                })
        }
    }
}
