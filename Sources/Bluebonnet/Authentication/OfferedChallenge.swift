/// One challenge as a server or proxy sent it (RFC 9110 section 11.3).
struct OfferedChallenge: Sendable, Equatable {
    let scheme: AuthenticationScheme
    /// The scheme's data in one piece, as Negotiate has it; there are no parameters then.
    private(set) var token68: String?
    /// Values without quotes and escapes, by names in lower case.
    private(set) var parameters: [String: String] = [:]
    /// Whether something in it is wrong, so that nothing of it may be used.
    private(set) var isMalformed = false

    static let maximumParameterCount = 32
    /// Bytes of one value: those of a nonce and the like, which are kept.
    static let maximumValueSize = 4096

    init(scheme: AuthenticationScheme) {
        self.scheme = scheme
    }

    mutating func add(_ name: String, _ value: String) {
        let isAcceptable =
            token68 == nil && parameters.count < Self.maximumParameterCount
            && value.utf8.count <= Self.maximumValueSize
        // Parameters occur once (RFC 9110 section 11.2): parsers that differ about which of two
        // counts can be played off against each other.
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
