/// The names of header fields whose values are secret.
///
/// Besides standard names, these are names that services use: any name that contains a word such as
/// "token", "secret", "session" or "key". `auth-code`, `auth_code` and `authCode` have the same
/// words. Otherwise case does not matter. The library's errors and descriptions use these names,
/// also for items of queries and forms.
public enum SecretFieldNames {
    /// The substrings that mark a name as secret.
    private static let parts = [
        "authorization", "cookie", "credential", "csrf", "passphrase", "password", "passwd",
        "passcode", "secret", "session", "signature", "token", "xsrf", "apikey", "accesskey",
        "privatekey",
    ]
    /// The complete words that mark a name as secret.
    private static let words: Set<String> = [
        "auth", "authentication", "bearer", "dpop", "jwt", "key", "otp", "pass", "pwd", "sig",
    ]
    /// The names that contain one of these although their values are not secret.
    private static let harmless: Set<String> = [
        "access-control-allow-credentials", "idempotency-key", "sec-websocket-key",
        "surrogate-key", "sec-token-binding",
    ]

    /// Returns whether the value of a field with this name is treated as secret.
    ///
    /// - Parameter name: The name of a header field, in any case.
    /// - Returns: Whether its value is secret.
    public static func contains(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        guard !harmless.contains(lowercased) else { return false }
        return parts.contains { lowercased.contains($0) }
            || lowercased.split { $0 == "-" || $0 == "_" }.contains { words.contains(String($0)) }
            // Checked last, because names such as "DPoP" are one word despite their capitals.
            || humps(of: name).contains { words.contains($0) }
    }

    /// Returns the words of a name in lowercase.
    ///
    /// A capital letter begins a word. Punctuation marks and digits separate words.
    private static func humps(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var words: [[UInt8]] = [[]]
        for (index, byte) in bytes.enumerated() {
            let isCapital = byte.isASCIICapital
            let followsSmall = index > 0 && bytes[index - 1].isASCIISmall
            let leadsSmall = index + 1 < bytes.count && bytes[index + 1].isASCIISmall
            // A run of capitals is a word, but its last one can begin the next word: `JWTKey`.
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
    /// The URL without the parts that can be secret: user, password, query and fragment.
    ///
    /// If the text is not a valid URL, too much is removed rather than too little.
    package var withoutURLSecrets: String {
        let scheme = scheme
        let rest = self[scheme.endIndex...]
        // By bytes: a combining mark after one of these would form another `Character`.
        guard let end = rest.utf8.firstIndex(where: { "?#".utf8.contains($0) }) else {
            return scheme + rest.withoutLogin
        }
        let shown = rest[..<end]
        let isPerhapsPassword = rest[end...].utf8.contains(UInt8(ascii: "@"))
        guard !isPerhapsPassword || shown.isPlainlyHostAndPath else { return scheme + "…" }
        return scheme + shown.withoutLogin + "…"
    }

    /// The text up to and including its first `://` if a name precedes that, otherwise empty.
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
    /// The text, with `…` instead of everything before its last `@`.
    fileprivate var withoutLogin: String {
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return String(self) }
        return "…" + self[at...]
    }

    /// Whether the text cannot be the beginning of a user name and password with a `?` or `#`.
    ///
    /// Such a beginning would have a colon between the two, and no slash before the colon.
    fileprivate var isPlainlyHostAndPath: Bool {
        utf8.contains(UInt8(ascii: "/")) && !utf8.contains(UInt8(ascii: ":"))
    }
}
