/// The parameters of a Digest challenge (RFC 7616 section 3.3).
struct DigestChallenge: Sendable, Hashable {
    /// The quality of protection.
    enum Quality: String, Sendable, Hashable {
        case auth
        /// Protects the body as well.
        case authInt = "auth-int"
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// The algorithm as received, to be sent back, or nil if none was named, which means MD5.
    let algorithmName: String?
    /// The supported qualities that are offered, empty in the form of RFC 2069.
    let qualities: Set<Quality>
    /// Whether the credential was right and was refused only because the nonce is too old.
    let isStale: Bool
    let hashesUserName: Bool
    let usesUTF8: Bool
    /// The URIs that share the credential, as received, empty for the whole origin.
    let domain: [String]

    /// Reads a Digest challenge.
    ///
    /// Returns nil if a required parameter is missing, or if a value is not supported.
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
            // A session's key includes a client nonce, which is not sent without a qop.
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

    /// Returns the supported qualities, or nil if only others are offered.
    private static func qualities(in value: String) -> Set<Quality>? {
        let names = value.split { $0 == "," || $0 == " " || $0 == "\t" }
        let known = Set(names.compactMap { Quality(rawValue: $0.lowercased()) })
        return names.isEmpty || !known.isEmpty ? known : nil
    }
}
