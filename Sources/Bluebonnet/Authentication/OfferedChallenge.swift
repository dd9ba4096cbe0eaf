/// A challenge as received from a server or proxy (RFC 9110 section 11.3).
struct OfferedChallenge: Sendable, Equatable {
    let scheme: AuthenticationScheme
    /// The scheme's data as a single token without parameters, as in Negotiate.
    private(set) var token68: String?
    /// The values, without quotes and escapes, by lowercase name.
    private(set) var parameters: [String: String] = [:]
    /// Whether the challenge contains an error, so that no part of it may be used.
    private(set) var isMalformed = false

    static let maximumParameterCount = 32
    /// The maximum size of a value in bytes, limited because values such as nonces are stored.
    static let maximumValueSize = 4096

    init(scheme: AuthenticationScheme) {
        self.scheme = scheme
    }

    mutating func add(_ name: String, _ value: String) {
        let isAcceptable =
            token68 == nil && parameters.count < Self.maximumParameterCount
            && value.utf8.count <= Self.maximumValueSize
        // A parameter occurs only once (RFC 9110 section 11.2). An attacker could exploit parsers
        // that disagree on which of two values counts.
        if !isAcceptable || parameters.updateValue(value, forKey: name.lowercased()) != nil {
            isMalformed = true
        }
    }

    mutating func set(token68 token: String) {
        token68 = token
    }

    mutating func refuse() {
        isMalformed = true
    }
}
