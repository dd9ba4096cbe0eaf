import Bluebonnet
import FoundationNetworking

extension Flight {
    /// Asks the hook of the leader's task what is stored of a response; without a hook, all of it.
    func propose(
        _ response: StoredResponse, then decide: @escaping @Sendable (StoredResponse?) -> Void
    ) {
        guard let hook = leader.exchange.willCacheResponse else { return decide(response) }
        let (request, fields, policy) = (leader.request, leader.exchange.fields, core.policy)
        let proposal = CachedResponse(
            url: leader.exchange.url, statusCode: response.statusCode, fields: response.fields)
        let observer = leader.observer
        Task(executorPreference: observer?.taskExecutor) {
            let answer = await hook(proposal)
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
