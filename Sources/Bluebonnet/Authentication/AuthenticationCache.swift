import BluebonnetTransport
import Foundation
import FoundationNetworking
import Synchronization

/// A cache of credentials that servers and proxies have accepted.
///
/// Each session has one cache, which its tasks share on any thread. A credential is used only for
/// its origin, and there only for the paths that share it. With Basic these are the folder of the
/// request and everything below it (RFC 7617 section 2.2). With Digest these are the URIs of the
/// same origin in `domain`, or the whole origin if there is no `domain`. The credential of a proxy
/// applies to every request. The cache holds a bounded number of origins and nonces, and removes
/// the least recently used ones.
final class AuthenticationCache: Sendable {
    /// A credential that was accepted.
    struct Entry: Sendable {
        var credential: URLCredential
        var mechanism: AuthenticationMechanism<DigestSession>
        /// The prefixes of the paths that share the credential.
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
    private let hasEntries = Atomic(false)
    private let makeClientNonce: @Sendable () -> String

    init(
        maximumOriginCount: Int = 256,
        maximumNonceCount: Int = 1024,
        makeClientNonce: @escaping @Sendable () -> String = AuthenticationCache.randomNonce
    ) {
        self.maximumOriginCount = max(maximumOriginCount, 1)
        state = Locked(State(nonces: NonceCounts(maximumCount: maximumNonceCount)))
        self.makeClientNonce = makeClientNonce
    }

    /// Returns 128 bits from the system's secure generator, in hexadecimal digits.
    @Sendable static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    /// Whether the cache contains no credential, so that requests need no lookup.
    var isEmpty: Bool { !hasEntries.load(ordering: .acquiring) }

    private func changeEntries(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            hasEntries.store(!state.entries.isEmpty, ordering: .releasing)
        }
    }

    // MARK: Credentials

    /// Returns the credential to send without a challenge, with its protection space.
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

    /// Returns the credential for the protection space of a challenge.
    func entry(for space: ProtectionSpaceKey) -> Entry? {
        let place = Place(party: space.party, origin: space.origin)
        return state.withLock { $0.entries[place]?[space.realm] }
    }

    /// Stores a credential that was accepted for a request.
    func store(
        _ credential: URLCredential,
        _ mechanism: AuthenticationMechanism<DigestSession>,
        for space: ProtectionSpaceKey,
        request: AuthenticatedRequest
    ) {
        guard credential.persistence != .none else { return }
        let place = Place(party: space.party, origin: space.origin)
        var paths = mechanism.paths(for: request, party: space.party)
        changeEntries { state in
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

    /// Removes a credential that was refused, unless another one has replaced it.
    func forget(_ credential: URLCredential, for space: ProtectionSpaceKey) {
        let place = Place(party: space.party, origin: space.origin)
        changeEntries { state in
            guard let known = state.entries[place]?[space.realm],
                known.credential.hasSameContent(as: credential)
            else { return }
            state.entries[place]?[space.realm] = nil
            if state.entries[place]?.isEmpty == true { state.entries[place] = nil }
        }
    }

    /// Removes all credentials.
    func removeAll() {
        changeEntries { $0.entries = [:] }
    }

    // MARK: Nonces

    /// Returns a session for the nonce of a challenge.
    ///
    /// If another task already uses the nonce, the session continues with the same first client
    /// nonce.
    func session(
        for challenge: DigestChallenge,
        in space: ProtectionSpaceKey
    ) -> DigestSession {
        let key = NonceCounts.Key(space: space, nonce: challenge.nonce)
        let fresh = makeClientNonce()
        let first = state.withLock { $0.nonces.firstClientNonce(for: key, fresh: fresh) }
        return DigestSession(challenge, clientNonce: first)
    }

    /// Returns the next use of a session's nonce, or nil if the nonce cannot be used again.
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
    /// Removes the least recently used entries, but never the one that was just stored.
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
    /// Returns the length of the longest prefix that matches the path, or nil if none does.
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

    /// Returns the path of a URI in `domain`, or nil if the URI has another origin.
    private static func path(_ text: String, _ request: AuthenticatedRequest) -> String? {
        if text.hasPrefix("/"), !text.hasPrefix("//") { return RequestTarget.path(of: text) }
        guard let url = URL(reference: text, relativeTo: request.url),
            AuthenticationOrigin(url) == request.origin
        else { return nil }
        return RequestTarget.path(of: RequestTarget.originForm(of: url.absoluteString))
    }
}
