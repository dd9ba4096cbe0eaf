import BluebonnetTransport
import FoundationNetworking

extension TaskAuthentication {
    /// Returns the step that follows a response.
    mutating func next(
        after head: ResponseHead,
        to request: AuthenticatedRequest
    ) -> Step {
        question = nil
        let refusing = Self.party(asking: head, request)
        for party in Self.parties(reachedBy: refusing) {
            do throws(AuthenticationError.Reason) {
                try accept(party, head, request)
            } catch {
                active[party] = nil
                return fail(error, party, request)
            }
        }
        return refusing.map { answer(of: $0, head, request) } ?? .deliver
    }

    /// Returns the step that follows a proxy's refusal to open a tunnel, which has the given head.
    mutating func next(
        afterRefusedTunnel head: ResponseHead,
        to request: AuthenticatedRequest
    ) -> Step {
        question = nil
        return answer(of: .proxy, head, request)
    }

    /// Returns the step that follows a challenge.
    private mutating func answer(
        of party: AuthenticationParty,
        _ head: ResponseHead,
        _ request: AuthenticatedRequest
    ) -> Step {
        challengeCount += 1
        let selection = AuthenticationOffer.Selection(of: head, by: party)
        let offers = selection.supported
        if let sent = active.removeValue(forKey: party) {
            if let renewed = renewed(sent, offers) { return retry(with: renewed, request) }
            // A challenge for other realms does not mean that the credential was refused.
            if offers.isEmpty || offers.contains(where: { $0.realm == sent.space.realm }) {
                refuse(sent)
            }
        }
        // A response without a supported challenge is delivered like any other.
        guard !offers.isEmpty else { return .deliver }
        for offer in offers {
            if let known = remembered(for: offer, by: party, request) {
                return retry(with: known, request)
            }
        }
        return ask(offers[...], of: selection, by: party, head, request)
    }

    /// Returns the party that sent a challenge, or nil for an ordinary response.
    ///
    /// A 407 that cannot come from a proxy is an ordinary response.
    private static func party(
        asking head: ResponseHead,
        _ request: AuthenticatedRequest
    ) -> AuthenticationParty? {
        AuthenticationParty(statusCode: head.statusCode).flatMap { request.isHeard($0) ? $0 : nil }
    }

    /// Returns the parties that received their credential and did not refuse the request.
    private static func parties(
        reachedBy refusing: AuthenticationParty?
    ) -> [AuthenticationParty] {
        switch refusing {
        case .proxy: []
        case .server: [.proxy]
        case nil: [.proxy, .server]
        }
    }

    /// Checks the authentication info of a party, and stores the credential that it accepted.
    private mutating func accept(
        _ party: AuthenticationParty,
        _ head: ResponseHead,
        _ request: AuthenticatedRequest
    ) throws(AuthenticationError.Reason) {
        guard var sent = active[party] else { return }
        if case .digest(var session) = sent.mechanism, let expectation = sent.expectation,
            request.isHeard(party), let info = head.value(of: party.infoField),
            let parameters = ChallengeParser.parameters(in: info)
        {
            try expectation.check(parameters)
            if let next = parameters["nextnonce"] {
                session.use(nextNonce: next)
                sent.mechanism = .digest(session)
                sent.isStored = false
            }
        }
        sent.expectation = nil
        sent.isProven = true
        // If a session is already stored, other tasks can have replaced it with a newer one.
        if !sent.isStored {
            cache.store(sent.credential, sent.mechanism, for: sent.space, request: request)
        }
        sent.isStored = true
        active[party] = sent
    }

    /// Returns the same credential with a new nonce, if the old nonce might have caused the
    /// refusal.
    ///
    /// It is the cause if the server sends `stale`. It might also be the cause if the credential
    /// was accepted before, because many servers discard nonces without notice.
    private func renewed(_ sent: Active, _ offers: [AuthenticationOffer]) -> Active? {
        guard case .digest(let old) = sent.mechanism else { return nil }
        for offer in offers where offer.realm == sent.space.realm {
            guard case .digest(let challenge) = offer.mechanism else { continue }
            guard challenge.isStale || sent.isProven, challenge.nonce != old.nonce else {
                return nil
            }
            var renewed = sent
            renewed.mechanism = .digest(cache.session(for: challenge, in: sent.space))
            renewed.isProven = false
            renewed.isStored = false
            return renewed
        }
        return nil
    }

    private mutating func refuse(_ sent: Active) {
        cache.forget(sent.credential, for: sent.space)
        refusals[sent.space, default: Refusal()].credentials += 1
        refusals[sent.space]?.last = sent.credential
    }

    /// Returns a credential that was accepted for other tasks.
    ///
    /// A task tries it once per protection space. A credential that was accepted with Digest is not
    /// reused with Basic, because an attacker on the network could request Basic to obtain it.
    private mutating func remembered(
        for offer: AuthenticationOffer,
        by party: AuthenticationParty,
        _ request: AuthenticatedRequest
    ) -> Active? {
        guard party == .proxy || !request.hasOwnAuthorization,
            let space = request.space(of: party, realm: offer.realm),
            !cacheUses.contains(space), let entry = cache.entry(for: space)
        else { return nil }
        if let last = refusals[space]?.last, last.hasSameContent(as: entry.credential) {
            return nil
        }
        if case .digest = entry.mechanism, case .basic = offer.mechanism { return nil }
        cacheUses.insert(space)
        return Active(
            space: space,
            credential: entry.credential,
            mechanism: mechanism(of: offer, in: space)
        )
    }

    func mechanism(
        of offer: AuthenticationOffer,
        in space: ProtectionSpaceKey
    ) -> AuthenticationMechanism<DigestSession> {
        switch offer.mechanism {
        case .basic(let usesUTF8): .basic(usesUTF8: usesUTF8)
        case .digest(let challenge): .digest(cache.session(for: challenge, in: space))
        }
    }

    mutating func retry(with next: Active, _ request: AuthenticatedRequest) -> Step {
        guard challengeCount < limits.challengeCount else {
            return fail(.tooManyChallenges(challengeCount), next.space.party, request)
        }
        active[next.space.party] = next
        return retry(request, because: next.space.party)
    }
}
