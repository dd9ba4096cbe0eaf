import BluebonnetTransport
import FoundationNetworking

/// The authentication of one task, over all its exchanges.
///
/// It is a value that says what to do next and does nothing itself. Before an exchange its
/// ``fields(for:)`` are asked for, after it ``next(after:to:)``, or ``next(afterRefusedTunnel:to:)``,
/// and the answer to a challenge is told to ``answer(_:)``. The fields belong on the exchange and not
/// in the request, so that no redirect carries them away.
struct TaskAuthentication: Sendable {
    enum Step: Sendable {
        /// The response is the task's.
        case deliver
        /// The manager is asked, and its answer told to ``TaskAuthentication/answer(_:)``.
        case ask(AuthenticationChallenge)
        /// Another exchange is made with these fields in place of any of the same names.
        case retry([Exchange.Field])
        case fail(any Error)
        case cancel
    }

    struct Limits: Sendable {
        /// Credentials that are tried for one protection space.
        var credentialCount = 3
        /// Exchanges that may end with a challenge.
        var challengeCount = 10
    }

    /// A credential in use.
    struct Active: Sendable {
        let space: ProtectionSpaceKey
        let credential: URLCredential
        var mechanism: AuthenticationMechanism<DigestSession>
        /// Whether it was accepted before, so that a refusal may be the fault of its old nonce.
        var isProven = false
        /// Whether the cache holds it as it is.
        var isStored = false
        /// What the last exchange's proof has to be answered with.
        var expectation: DigestExpectation?
    }

    struct Refusal {
        var credentials = 0
        var last: URLCredential?
    }

    /// What is being asked; a class, since it is large, and every task has room for one.
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
    /// The fields for a task's first exchange and the first after each redirect.
    ///
    /// A remembered credential that cannot be sent is left out: the challenge tells why.
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

    /// Makes the field of a party's credential; nil when there is none for it.
    private mutating func field(
        of party: AuthenticationParty,
        for request: AuthenticatedRequest
    ) throws(AuthenticationError.Reason) -> Exchange.Field? {
        guard var sent = active[party] else { return nil }
        // Unless all goes well, nothing is sent.
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

    /// All fields of another exchange for the same request.
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
        // Without a field for it, the party would only ask again.
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
    /// The credential that the next exchange has for its proxy; nil for none.
    var proxyCredential: URLCredential? { active[.proxy]?.credential }

    /// What was tried last in each protection space, accepted or not.
    var credentials: [URLCredential] {
        active.values.map(\.credential) + refusals.values.compactMap(\.last)
    }
}

extension TaskAuthentication.Step: CustomStringConvertible {
    /// The step in one line, without the values of fields.
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
