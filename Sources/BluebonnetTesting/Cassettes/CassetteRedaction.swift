import Bluebonnet

/// The rules for hiding secrets in a cassette.
///
/// Each secret is replaced with a placeholder such as `SECRET_1`. Equal secrets of a recording have
/// equal placeholders. Replayed responses contain the placeholders: a cookie keeps its name and its
/// attributes, and its value is the placeholder. These are secrets:
///
/// - Values of header fields with a name that `SecretFieldNames` recognizes. The scheme of
///   `Authorization` is kept, and so is everything in `Cookie` and `Set-Cookie` except the values
///   of cookies.
/// - The user and password of a URL.
/// - Values with such a name in queries, fragments and forms.
/// - Strings with such a name in JSON, as in `"access_token": "…"`, and all strings in an object or
///   array with such a name. The names `key` and `token_type` are not secret in JSON, and numbers
///   never are. Truncated JSON, and JSON within other text, is searched too.
/// - All other occurrences of these values and of the password of a Basic login, even
///   percent-encoded, if they are separate words of at least 8 bytes. Values of cookies are
///   searched for only if they contain a digit. Strings in an object or array with a secret name
///   are not searched for.
///
/// Secrets are not found by name in XML, in multipart forms and in compressed request bodies. Find
/// these with ``furtherSecrets``, and review a new cassette before you commit it.
public struct CassetteRedaction: Sendable {
    /// Names of header fields, query items, form fields and JSON members whose values are secret
    /// too.
    public var furtherNames: Set<String>
    /// Names whose values are kept, although the rules treat them as secret.
    public var keptNames: Set<String>
    /// Returns further secrets in a text, such as card numbers.
    ///
    /// It is called with each URL, each header field as `Name: value`, each text body and each
    /// string of a JSON body, more than once. The secrets that it returns are hidden in each URL,
    /// in the value of each field, and in each body except for the keys of JSON.
    public var furtherSecrets: @Sendable (_ text: String) -> [String]

    /// Creates a redaction; the default adds nothing to the rules.
    public init(
        furtherNames: Set<String> = [], keptNames: Set<String> = [],
        furtherSecrets: @escaping @Sendable (_ text: String) -> [String] = { _ in [] }
    ) {
        self.furtherNames = Set(furtherNames.map { $0.lowercased() })
        self.keptNames = Set(keptNames.map { $0.lowercased() })
        self.furtherSecrets = furtherSecrets
    }

    /// The rules without additions.
    public static let standard = Self()

    /// Returns whether the value of a header field, a query item or a form field is secret.
    func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        // The value is a flag, although "credentials" is in the name.
        guard !keptNames.contains(name),
            name != "access-control-allow-credentials" || furtherNames.contains(name)
        else { return false }
        return furtherNames.contains(name) || SecretFieldNames.contains(name)
    }

    /// Returns whether the strings of a JSON member are secret.
    func isSecretMember(_ name: String) -> Bool {
        // `token_type` belongs to OAuth (RFC 6749 section 5.1), and `key` can identify anything.
        let isUsual = ["key", "token_type", "tokentype"].contains(name.lowercased())
        return isUsual ? furtherNames.contains(name.lowercased()) : isSecret(name)
    }
}
