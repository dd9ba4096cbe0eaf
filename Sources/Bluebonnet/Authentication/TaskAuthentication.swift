import BluebonnetTransport
import FoundationNetworking

/// The authentication of one task, across all its exchanges.
///
/// This value only decides the next step. Get ``fields(for:)`` before the first exchange and after
/// a redirect. Call ``next(after:to:)`` or ``next(afterRefusedTunnel:to:)`` after each exchange.
/// Pass the answer to a challenge to ``answer(_:)``. The fields are added to the exchange and not
/// to the request, so that redirects do not forward them.
struct TaskAuthentication: Sendable {
    enum Step: Sendable {
        /// Delivers the response to the task.
        case deliver
        /// Asks the manager, whose answer is passed to ``TaskAuthentication/answer(_:)``.
        case ask(AuthenticationChallenge)
        /// Starts another exchange with these fields, which replace those of the same names.
        case retry([Exchange.Field])
        case fail(any Error)
        case cancel
    }

    struct Limits: Sendable {
        /// The maximum number of credentials to try for one protection space.
        var credentialCount = 3
        /// The maximum number of exchanges that may end with a challenge.
        var challengeCount = 10
    }

    /// A credential in use.
    struct Active: Sendable {
        let space: ProtectionSpaceKey
        let credential: URLCredential
        var mechanism: AuthenticationMechanism<DigestSession>
        /// Whether the credential was accepted before, so that an old nonce can cause a refusal.
        var isProven = false
        /// Whether the cache contains the credential in its current state.
        var isStored = false
        /// The proof that is expected in the response of the last exchange.
        var expectation: DigestExpectation?
    }

    struct Refusal {
        var credentials = 0
        var last: URLCredential?
    }

    /// The open challenge, a class because it is large and every task reserves space for one.
    final class Question: Sendable {
        let challenge: AuthenticationChallenge
        let head: ResponseHead
        let space: ProtectionSpaceKey
        let offer: AuthenticationOffer
        let weaker: ArraySlice<AuthenticationOffer>
        let request: AuthenticatedRequest
        let selection: AuthenticationOffer.Selection

        init(
            challenge: AuthenticationChallenge,
            head: ResponseHead,
            space: ProtectionSpaceKey,
            offer: AuthenticationOffer,
            weaker: ArraySlice<AuthenticationOffer>,
            request: AuthenticatedRequest,
            selection: AuthenticationOffer.Selection
        ) {
            self.challenge = challenge
            self.head = head
            self.space = space
            self.offer = offer
            self.weaker = weaker
            self.request = request
            self.selection = selection
        }
    }

    struct RejectedSpace: Hashable {
        let space: ProtectionSpaceKey
        let scheme: AuthenticationScheme
    }

    let cache: AuthenticationCache
    let limits: Limits
    var active: [AuthenticationParty: Active] = [:]
    var challengeCount = 0
    var refusals: [ProtectionSpaceKey: Refusal] = [:]
    var triedCounts: [ProtectionSpaceKey: Int] = [:]
    var cacheUses: Set<ProtectionSpaceKey> = []
    var rejected: Set<RejectedSpace> = []
    var question: Question?

    init(cache: AuthenticationCache, limits: Limits = Limits()) {
        self.cache = cache
        self.limits = limits
    }
}

extension TaskAuthentication {
    /// Returns the fields for a task's first exchange, or for the first one after a redirect.
    ///
    /// A cached credential that cannot be sent is omitted. The resulting challenge reports the
    /// reason.
    mutating func fields(for request: AuthenticatedRequest) -> [Exchange.Field] {
        var fields: [Exchange.Field] = []
        for party in AuthenticationParty.allCases {
            chooseCredential(of: party, for: request)
            if let field = try? field(of: party, for: request) { fields.append(field) }
        }
        return fields
    }

    private mutating func chooseCredential(
        of party: AuthenticationParty,
        for request: AuthenticatedRequest
    ) {
        if let known = active[party], known.space.origin == request.origin(of: party) { return }
        active[party] = nil
        guard party == .proxy || !request.hasOwnAuthorization,
            let (space, entry) = cache.credential(for: request, party: party)
        else { return }
        cacheUses.insert(space)
        active[party] = Active(
            space: space, credential: entry.credential, mechanism: entry.mechanism,
            isProven: true, isStored: true
        )
    }

    /// Returns the field with a party's credential, or nil if there is none.
    private mutating func field(
        of party: AuthenticationParty,
        for request: AuthenticatedRequest
    ) throws(AuthenticationError.Reason) -> Exchange.Field? {
        guard var sent = active[party] else { return nil }
        // Restored below if the field is created.
        active[party] = nil
        let value: String
        switch sent.mechanism {
        case .basic(let usesUTF8):
            value = try BasicAuthorization.fieldValue(for: sent.credential, usesUTF8: usesUTF8)
        case .digest(let session):
            guard let turn = cache.turn(of: session, in: sent.space) else { return nil }
            let authorization = try session.authorization(
                of: sent.credential,
                line: request.line(for: party),
                body: request.body(for: party),
                turn: turn
            )
            value = authorization.fieldValue
            sent.expectation = authorization.expectation
        }
        active[party] = sent
        return Exchange.Field(name: party.credentialField, value: value)
    }

    /// Returns the step that sends the request again with the fields of all parties.
    mutating func retry(
        _ request: AuthenticatedRequest,
        because party: AuthenticationParty
    ) -> Step {
        var fields: [Exchange.Field] = []
        for each in AuthenticationParty.allCases {
            do throws(AuthenticationError.Reason) {
                if let field = try field(of: each, for: request) { fields.append(field) }
            } catch {
                return fail(error, each, request)
            }
        }
        // Without its field, the party would only send another challenge.
        return fields.contains { $0.name == party.credentialField } ? .retry(fields) : .deliver
    }

    func fail(
        _ reason: AuthenticationError.Reason,
        _ party: AuthenticationParty,
        _ request: AuthenticatedRequest
    ) -> Step {
        let host = request.origin(of: party)?.host ?? request.origin.host
        return .fail(AuthenticationError(reason: reason, host: host, isProxy: party == .proxy))
    }
}

extension TaskAuthentication {
    /// The credential that the next exchange sends to its proxy, or nil if there is none.
    var proxyCredential: URLCredential? { active[.proxy]?.credential }

    /// The credentials tried last in each protection space, accepted or not.
    var credentials: [URLCredential] {
        active.values.map(\.credential) + refusals.values.compactMap(\.last)
    }
}

extension TaskAuthentication.Step: CustomStringConvertible {
    /// A one-line description of the step, without field values.
    var description: String {
        switch self {
        case .deliver: "deliver"
        case .ask(let challenge): "ask: \(challenge)"
        case .retry(let fields): "retry with \(fields.map(\.name).joined(separator: ", "))"
        case .fail(let error): "fail: \(error)"
        case .cancel: "cancel"
        }
    }
}
