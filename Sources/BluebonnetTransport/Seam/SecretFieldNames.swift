/// Tells by their names which header fields hold secrets.
///
/// Beside the standard's own names these are the ones that services have made up: any name with a
/// word in it such as "token", "secret", "session" or "key".
package enum SecretFieldNames {
    /// What makes a name suspect wherever it stands in it.
    private static let parts = [
        "authorization", "cookie", "credential", "csrf", "passphrase", "password", "passwd",
        "secret", "session", "signature", "token", "xsrf", "apikey",
    ]
    /// What does so as a word of its own.
    private static let words: Set<String> = [
        "auth", "authentication", "bearer", "dpop", "jwt", "key", "otp", "pass",
    ]
    /// Names with such a word that hold nothing secret.
    private static let harmless: Set<String> = [
        "idempotency-key", "sec-websocket-key", "surrogate-key", "sec-token-binding",
    ]

    /// Whether the value of a field of that name is taken for a secret.
    package static func contains(_ name: String) -> Bool {
        let name = name.lowercased()
        guard !harmless.contains(name) else { return false }
        return parts.contains { name.contains($0) }
            || name.split { $0 == "-" || $0 == "_" }.contains { words.contains(String($0)) }
    }
}

extension String {
    /// A URL, or what was meant to be one, without what may be secret in it: user and password,
    /// query and fragment.
    ///
    /// Of what cannot be parsed too much goes rather than too little.
    package var withoutURLSecrets: String {
        var shown = Substring(self)
        var isCut = false
        if let end = shown.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            shown = shown[..<end]
            isCut = true
        }
        var text = String(shown)
        if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let rest = text[text.utf8.index(after: at)...]
            let scheme = text.firstRange(of: "://").map { String(text[..<$0.upperBound]) } ?? ""
            text = "\(scheme)…@\(rest)"
        }
        return isCut ? text + "…" : text
    }
}
