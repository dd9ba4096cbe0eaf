import BluebonnetTransport
import FoundationNetworking

extension TaskAuthentication {
    /// Returns the step that follows the answer to the last challenge.
    mutating func answer(_ disposition: ChallengeDisposition) -> Step {
        guard let asked = question else { return .deliver }
        question = nil
        switch disposition {
        case .performDefaultHandling, .trustServer:
            return .deliver
        case .useCredential(let credential):
            triedCounts[asked.space, default: 0] += 1
            let next = Active(
                space: asked.space,
                credential: credential,
                mechanism: mechanism(of: asked.offer, in: asked.space)
            )
            return retry(with: next, asked.request)
        case .rejectProtectionSpace:
            rejected.insert(RejectedSpace(space: asked.space, scheme: asked.challenge.scheme))
            return ask(
                asked.weaker, of: asked.selection, by: asked.space.party, asked.head,
                asked.request
            )
        case .cancel:
            return .cancel
        case .fail(let error):
            return .fail(error)
        }
    }

    /// Returns the step that asks about the strongest offer that was not rejected.
    mutating func ask(
        _ offers: ArraySlice<AuthenticationOffer>,
        of selection: AuthenticationOffer.Selection,
        by party: AuthenticationParty,
        _ head: ResponseHead,
        _ request: AuthenticatedRequest
    ) -> Step {
        for (index, offer) in zip(offers.indices, offers) {
            guard let space = request.space(of: party, realm: offer.realm) else { return .deliver }
            let scheme = offer.mechanism.scheme
            guard !rejected.contains(RejectedSpace(space: space, scheme: scheme)) else { continue }
            let tried = triedCounts[space] ?? 0
            guard tried < limits.credentialCount else {
                return fail(.tooManyCredentials(tried), party, request)
            }
            guard challengeCount < limits.challengeCount else {
                return fail(.tooManyChallenges(challengeCount), party, request)
            }
            let challenge = AuthenticationChallenge(
                scheme: scheme,
                offeredSchemes: selection.schemes,
                realm: offer.realm,
                isProxy: party == .proxy,
                host: space.origin.host,
                port: space.origin.port,
                url: request.url,
                previousFailureCount: refusals[space]?.credentials ?? 0,
                head: head,
                proposedCredential: refusals[space]?.last,
                serverTrust: nil,
                originScheme: space.origin.scheme
            )
            question = Question(
                challenge: challenge, head: head, space: space, offer: offer,
                weaker: offers[(index + 1)...], request: request, selection: selection
            )
            return .ask(challenge)
        }
        return .deliver
    }
}
