/// Tells by their names which header fields hold secrets.
///
/// Besides the names of the standards, these are the ones that services have made up: any name with a word
/// in it such as "token", "secret", "session" or "key". `auth-code`, `auth_code` and `authCode` have the same
/// words; apart from that, case does not matter. The library's errors and descriptions use these names, also
/// for items of queries and forms.
public enum SecretFieldNames {
    /// What makes a name suspect wherever it stands in it.
    private static let parts = [
        "authorization", "cookie", "credential", "csrf", "passphrase", "password", "passwd",
        "passcode", "secret", "session", "signature", "token", "xsrf", "apikey", "accesskey",
        "privatekey",
    ]
    /// What does so as a word of its own.
    private static let words: Set<String> = [
        "auth", "authentication", "bearer", "dpop", "jwt", "key", "otp", "pass", "pwd", "sig",
    ]
    /// Names with such a word that hold nothing secret.
    private static let harmless: Set<String> = [
        "idempotency-key", "sec-websocket-key", "surrogate-key", "sec-token-binding",
    ]

    /// Returns whether the value of a field of that name is taken for a secret.
    public static func contains(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        guard !harmless.contains(lowercased) else { return false }
        return parts.contains { lowercased.contains($0) }
            || lowercased.split { $0 == "-" || $0 == "_" }.contains { words.contains(String($0)) }
            // Last, because names such as "DPoP" are one word in spite of their capitals.
            || humps(of: name).contains { words.contains($0) }
    }

    /// The words of a name in lower case, which begin with a capital or stand between marks and digits.
    private static func humps(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var words: [[UInt8]] = [[]]
        for (index, byte) in bytes.enumerated() {
            let isCapital = byte.isASCIICapital
            let followsSmall = index > 0 && bytes[index - 1].isASCIISmall
            let leadsSmall = index + 1 < bytes.count && bytes[index + 1].isASCIISmall
            // A run of capitals is a word, whose last one may begin the next: `JWTKey`.
            if isCapital, followsSmall || leadsSmall { words.append([]) }
            if isCapital || byte.isASCIISmall || byte >= 0x80 {
                words[words.count - 1].append(byte.asciiLowercased)
            } else {
                words.append([])
            }
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    fileprivate var isASCIICapital: Bool { (0x41...0x5A).contains(self) }
    fileprivate var isASCIISmall: Bool { (0x61...0x7A).contains(self) }
}

extension String {
    /// A URL, or what was meant to be one, without what may be secret in it: user and password,
    /// query and fragment.
    ///
    /// Of what cannot be parsed too much goes rather than too little.
    package var withoutURLSecrets: String {
        let scheme = scheme
        let rest = self[scheme.endIndex...]
        // By bytes, for a mark that combines with one of these makes another `Character` of it.
        guard let end = rest.utf8.firstIndex(where: { "?#".utf8.contains($0) }) else {
            return scheme + rest.withoutLogin
        }
        let shown = rest[..<end]
        let isPerhapsPassword = rest[end...].utf8.contains(UInt8(ascii: "@"))
        guard !isPerhapsPassword || shown.isPlainlyHostAndPath else { return scheme + "…" }
        return scheme + shown.withoutLogin + "…"
    }

    /// The text up to its first `://`, where that follows a name.
    private var scheme: Substring {
        let name = utf8.prefix { $0 != UInt8(ascii: ":") }
        let rest = utf8[name.endIndex...]
        guard rest.starts(with: "://".utf8),
            name.allSatisfy({
                (0x61...0x7A).contains($0.asciiLowercased) || "+-.".utf8.contains($0)
                    || (0x30...0x39).contains($0)
            })
        else { return self[..<startIndex] }
        return self[..<utf8.index(name.endIndex, offsetBy: 3)]
    }
}

extension Substring {
    /// The text without what stands before its last `@`.
    fileprivate var withoutLogin: String {
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return String(self) }
        return "…" + self[at...]
    }

    /// Whether it cannot be the beginning of a name and password that hold a `?` or `#`, which would
    /// have a colon between them and no slash before it.
    fileprivate var isPlainlyHostAndPath: Bool {
        utf8.contains(UInt8(ascii: "/")) && !utf8.contains(UInt8(ascii: ":"))
    }
}
