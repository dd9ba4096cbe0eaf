/// What a Digest challenge asks for (RFC 7616 section 3.3).
struct DigestChallenge: Sendable, Hashable {
    /// What is protected beside user and password.
    enum Quality: String, Sendable, Hashable {
        case auth
        /// The body as well.
        case authInt = "auth-int"
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// The algorithm as it was written, to be sent back; nil when none was, which means MD5.
    let algorithmName: String?
    /// The known qualities that are offered; empty in the form of RFC 2069, which has none.
    let qualities: Set<Quality>
    /// Whether only the nonce was too old, and the credential right.
    let isStale: Bool
    let hashesUserName: Bool
    let usesUTF8: Bool
    /// The URIs that share the credential, as they were written; empty for the whole origin.
    let domain: [String]

    /// Reads a challenge of the scheme Digest; nil when it lacks what every one must have, or asks for
    /// what is not known.
    init?(_ challenge: OfferedChallenge) {
        let parameters = challenge.parameters
        guard challenge.token68 == nil, let realm = parameters["realm"],
            let nonce = parameters["nonce"]
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        algorithmName = parameters["algorithm"]
        guard let algorithm = DigestAlgorithm(name: algorithmName ?? "MD5"),
            let qualities = Self.qualities(in: parameters["qop"] ?? ""),
            // The session's key takes a client nonce, which is not sent without a qop.
            !algorithm.isSession || !qualities.isEmpty
        else { return nil }
        self.algorithm = algorithm
        self.qualities = qualities
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUserName = parameters["userhash"]?.lowercased() == "true"
        usesUTF8 = parameters["charset"]?.lowercased() == "utf-8"
        domain = (parameters["domain"] ?? "").split { $0 == " " || $0 == "\t" }
            .prefix(Self.maximumDomainCount).map(String.init)
    }

    private static let maximumDomainCount = 32

    /// Those that are known; nil where others alone are offered.
    private static func qualities(in value: String) -> Set<Quality>? {
        let names = value.split { $0 == "," || $0 == " " || $0 == "\t" }
        let known = Set(names.compactMap { Quality(rawValue: $0.lowercased()) })
        return names.isEmpty || !known.isEmpty ? known : nil
    }
}
