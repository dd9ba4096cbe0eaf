/// A challenge that can be answered.
struct AuthenticationOffer: Sendable {
    let realm: String
    let mechanism: AuthenticationMechanism<DigestChallenge>

    /// The lower, the stronger.
    private var rank: Int {
        switch mechanism {
        case .digest(let challenge): challenge.algorithm.rank
        case .basic: .max
        }
    }

    /// What one response's challenges come to.
    struct Selection: Sendable {
        /// The offers that can be answered, the strongest first.
        var supported: [AuthenticationOffer] = []
        /// Why a Digest challenge cannot be answered.
        var fault: AuthenticationError.Reason?
        /// Every scheme that was offered, in order.
        var schemes: [AuthenticationScheme] = []

        init(_ challenges: [OfferedChallenge]) {
            for challenge in challenges {
                if !schemes.contains(challenge.scheme) { schemes.append(challenge.scheme) }
                do throws(AuthenticationError.Reason) {
                    if let offer = try AuthenticationOffer(challenge) { supported.append(offer) }
                } catch {
                    fault = error
                }
            }
            let ranked = supported.enumerated().sorted {
                ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
            }
            supported = ranked.map(\.element)
        }

        /// Why none can be answered; nil where the response speaks for itself.
        var refusal: AuthenticationError.Reason? {
            if let fault { return fault }
            let unsupported = schemes.filter { $0 == .negotiate || $0 == .ntlm }
            return unsupported.isEmpty || unsupported != schemes
                ? nil : .unsupportedSchemes(unsupported)
        }
    }

    private init?(_ challenge: OfferedChallenge) throws(AuthenticationError.Reason) {
        switch challenge.scheme {
        case .digest:
            guard let digest = try DigestChallenge(challenge) else { return nil }
            realm = digest.realm
            mechanism = .digest(digest)
        case .basic:
            guard challenge.token68 == nil else { return nil }
            // Basic has to name a realm; servers that forget it have one without a name.
            realm = challenge.parameters["realm"] ?? ""
            mechanism = .basic(usesUTF8: challenge.parameters["charset"]?.lowercased() == "utf-8")
        default:
            return nil
        }
    }
}
