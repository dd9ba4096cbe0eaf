import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The credentials that servers and proxies accepted, for the requests that follow.
///
/// There is one for a session, shared by its tasks on any thread. A credential is used for its
/// origin alone, and there for what RFC 7617 section 2.2 and Digest's `domain` say shares it:
/// with Basic the folder of the request and all below, with Digest the URIs that are listed on the
/// same origin, or all of it. A proxy's is for every request. Of origins and nonces a bounded
/// number is kept, the latest.
struct AuthenticationCache: Sendable {
    /// A credential that was accepted.
    struct Entry: Sendable {
        var credential: URLCredential
        var mechanism: AuthenticationMechanism<DigestSession>
        /// What the paths begin with that share it.
        var paths: [String]
        fileprivate(set) var lastUse: UInt64 = 0
    }

    fileprivate struct Place: Hashable {
        let party: AuthenticationParty
        let origin: AuthenticationOrigin
    }

    fileprivate struct State {
        var entries: [Place: [String: Entry]] = [:]
        var nonces: NonceCounts
        var clock: UInt64 = 0
    }

    private static let maximumPathCount = 32
    private static let maximumRealmCount = 16

    private let maximumOriginCount: Int
    private let state: Locked<State>
    private let makeClientNonce: @Sendable () -> String

    init(
        maximumOriginCount: Int = 256,
        maximumNonceCount: Int = 1024,
        makeClientNonce: @escaping @Sendable () -> String = Self.randomNonce
    ) {
        self.maximumOriginCount = max(maximumOriginCount, 1)
        state = Locked(State(nonces: NonceCounts(maximumCount: maximumNonceCount)))
        self.makeClientNonce = makeClientNonce
    }

    /// 128 bits of the system's secure generator, in hexadecimal digits.
    @Sendable static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    /// Whether no credential is known, so that no request needs to be looked at.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    // MARK: Credentials

    /// The credential to be sent unasked, with its realm.
    func credential(
        for request: AuthenticatedRequest,
        party: AuthenticationParty
    ) -> (space: ProtectionSpaceKey, entry: Entry)? {
        guard let origin = request.origin(of: party) else { return nil }
        let place = Place(party: party, origin: origin)
        return state.withLock { state in
            guard let realms = state.entries[place] else { return nil }
            let reaches = realms.compactMap { realm, entry in
                entry.reach(to: request.path).map { (reach: $0, realm: realm) }
            }
            guard let best = reaches.max(by: { ($0.reach, $0.realm) < ($1.reach, $1.realm) }),
                let entry = realms[best.realm]
            else { return nil }
            state.clock += 1
            state.entries[place]?[best.realm]?.lastUse = state.clock
            return (ProtectionSpaceKey(party: party, origin: origin, realm: best.realm), entry)
        }
    }

    /// The credential for a realm that was named in a challenge.
    func entry(for space: ProtectionSpaceKey) -> Entry? {
        let place = Place(party: space.party, origin: space.origin)
        return state.withLock { $0.entries[place]?[space.realm] }
    }

    /// Keeps a credential that was accepted for a request.
    func store(
        _ credential: URLCredential,
        _ mechanism: AuthenticationMechanism<DigestSession>,
        for space: ProtectionSpaceKey,
        request: AuthenticatedRequest
    ) {
        guard credential.persistence != .none else { return }
        let place = Place(party: space.party, origin: space.origin)
        var paths = mechanism.paths(for: request, party: space.party)
        state.withLock { state in
            let known = state.entries[place]?[space.realm]
            if case .basic = mechanism, let known, known.credential.hasSameContent(as: credential) {
                paths = Self.merged(known.paths, paths)
            }
            state.clock += 1
            state.entries[place, default: [:]][space.realm] = Entry(
                credential: credential, mechanism: mechanism, paths: paths, lastUse: state.clock
            )
            state.evict(keeping: place, origins: maximumOriginCount, realms: Self.maximumRealmCount)
        }
    }

    /// Forgets a credential that was refused, unless another has taken its place.
    func forget(_ credential: URLCredential, for space: ProtectionSpaceKey) {
        let place = Place(party: space.party, origin: space.origin)
        state.withLock { state in
            guard let known = state.entries[place]?[space.realm],
                known.credential.hasSameContent(as: credential)
            else { return }
            state.entries[place]?[space.realm] = nil
            if state.entries[place]?.isEmpty == true { state.entries[place] = nil }
        }
    }

    /// Forgets every credential.
    func removeAll() {
        state.withLock { $0.entries = [:] }
    }

    // MARK: Nonces

    /// Begins to use the nonce of a challenge, or goes on where another task has begun.
    func session(
        for challenge: DigestChallenge,
        in space: ProtectionSpaceKey
    ) -> DigestSession {
        let key = NonceCounts.Key(space: space, nonce: challenge.nonce)
        let fresh = makeClientNonce()
        let first = state.withLock { $0.nonces.firstClientNonce(for: key, fresh: fresh) }
        return DigestSession(challenge, clientNonce: first)
    }

    /// Takes the next count of a session's nonce; nil when the nonce is used up.
    func turn(of session: DigestSession, in space: ProtectionSpaceKey) -> DigestSession.Turn? {
        let key = NonceCounts.Key(space: space, nonce: session.nonce)
        let first = session.firstClientNonce
        let count = state.withLock { $0.nonces.count(key, clientNonce: first) }
        return count.map { DigestSession.Turn(nonceCount: $0, clientNonce: makeClientNonce()) }
    }

    private static func merged(_ known: [String], _ new: [String]) -> [String] {
        let kept = known.filter { path in !new.contains { path.hasPrefix($0) } }
        let added = new.filter { path in !kept.contains { path.hasPrefix($0) } }
        return (kept + added).suffix(maximumPathCount)
    }
}

extension AuthenticationCache.State {
    /// Drops what was used the longest time ago, and never what was stored just now.
    fileprivate mutating func evict(
        keeping place: AuthenticationCache.Place,
        origins: Int,
        realms: Int
    ) {
        if let known = entries[place], known.count > realms,
            let oldest = known.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[place]?[oldest.key] = nil
        }
        guard entries.count > origins else { return }
        func lastUse(_ realms: [String: AuthenticationCache.Entry]) -> UInt64 {
            realms.values.map(\.lastUse).max() ?? 0
        }
        if let oldest = entries.min(by: { lastUse($0.value) < lastUse($1.value) }) {
            entries[oldest.key] = nil
        }
    }
}

extension AuthenticationCache.Entry {
    /// How much of the path is what shares the credential; nil when it does not.
    fileprivate func reach(to path: String) -> Int? {
        paths.filter { path.hasPrefix($0) }.map(\.utf8.count).max()
    }
}

extension AuthenticationMechanism where Digest == DigestSession {
    fileprivate func paths(
        for request: AuthenticatedRequest,
        party: AuthenticationParty
    ) -> [String] {
        guard party == .server else { return [""] }
        switch self {
        case .basic:
            let end = request.path.lastIndex(of: "/")
            return [end.map { String(request.path[...$0]) } ?? "/"]
        case .digest(let session):
            let domain = session.challenge.domain
            return domain.isEmpty ? [""] : domain.compactMap { Self.path($0, request) }
        }
    }

    /// The path of a URI in `domain`; nil when it leads to another origin.
    private static func path(_ text: String, _ request: AuthenticatedRequest) -> String? {
        if text.hasPrefix("/"), !text.hasPrefix("//") { return RequestTarget.path(of: text) }
        guard let url = URL(reference: text, relativeTo: request.url),
            AuthenticationOrigin(url) == request.origin
        else { return nil }
        return RequestTarget.path(of: RequestTarget.originForm(of: url.absoluteString))
    }
}
