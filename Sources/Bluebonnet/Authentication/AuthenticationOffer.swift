/// A challenge that can be answered.
struct AuthenticationOffer: Sendable {
    let realm: String
    let mechanism: AuthenticationMechanism<DigestChallenge>

    /// The rank of the offer, where lower is stronger.
    private var rank: Int {
        switch mechanism {
        case .digest(let challenge): challenge.algorithm.rank
        case .basic: .max
        }
    }

    /// The challenges of one response.
    struct Selection: Sendable {
        /// The challenges that can be answered, strongest first.
        var supported: [AuthenticationOffer] = []
        /// All schemes that were offered, in order.
        var schemes: [AuthenticationScheme] = []

        init(of head: ResponseHead, by party: AuthenticationParty) {
            let values = head.exchangeHead.block.values(of: party.challengeField)
            self.init(ChallengeParser.challenges(in: values))
        }

        init(_ challenges: [OfferedChallenge]) {
            for challenge in challenges {
                if !schemes.contains(challenge.scheme) { schemes.append(challenge.scheme) }
                if let offer = AuthenticationOffer(challenge) { supported.append(offer) }
            }
            let ranked = supported.enumerated().sorted {
                ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
            }
            supported = ranked.map(\.element)
        }
    }

    /// Creates an offer, or returns nil if the scheme or its variant is not supported.
    private init?(_ challenge: OfferedChallenge) {
        switch challenge.scheme {
        case .digest:
            guard let digest = DigestChallenge(challenge) else { return nil }
            realm = digest.realm
            mechanism = .digest(digest)
        case .basic:
            guard challenge.token68 == nil else { return nil }
            // Basic requires a realm. If a server omits it, the realm is empty.
            realm = challenge.parameters["realm"] ?? ""
            mechanism = .basic(usesUTF8: challenge.parameters["charset"]?.lowercased() == "utf-8")
        default:
            return nil
        }
    }
}
