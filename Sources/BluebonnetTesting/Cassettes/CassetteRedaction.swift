import Bluebonnet

/// The rules by which a cassette hides secrets.
///
/// Each secret is replaced with a placeholder such as `SECRET_1`. Equal secrets of a recording have equal placeholders.
/// Replayed responses contain the placeholders: a cookie keeps its name and its attributes, and its value is the
/// placeholder. These are secrets:
///
/// - Values of header fields with a name that ``SecretFieldNames`` knows. The scheme of `Authorization` is kept, and
///   so is everything in `Cookie` and `Set-Cookie` except the cookies' values.
/// - The user and password of a URL.
/// - Values with such a name in queries, fragments and forms.
/// - Strings with such a name in JSON, as in `"access_token": "…"`, and all strings in an object or array with such a
///   name. The names `key` and `token_type` are not secret in JSON, and numbers never are. JSON that is cut off, or
///   stands in another text, is searched too.
/// - Every other occurrence of such a value of 8 bytes or more as a word of its own, also percent-encoded, and of the
///   password of a Basic login. Of cookies only values with a digit are looked for elsewhere, and of objects with such
///   a name nothing.
///
/// Secrets by name are not found in XML, in multipart forms and in compressed request bodies. Give
/// ``furtherSecrets`` for these, and read a new cassette before you commit it.
public struct CassetteRedaction: Sendable {
    /// Names of header fields, query items, form fields and JSON members whose values are secret too.
    public var furtherNames: Set<String>
    /// Names whose values are not secret, although the rules say so.
    public var keptNames: Set<String>
    /// Returns further secrets in a text, such as card numbers.
    ///
    /// It is called with each URL, each header field as `Name: value`, each text body and each string of a JSON body,
    /// more than once. Whatever it returns is hidden in each URL, in the value of each field, and in each body, but for
    /// the keys of JSON.
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

    /// Whether the value of a header field, a query item or a form field is secret.
    func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        // A flag, although "credentials" is in its name.
        guard !keptNames.contains(name),
            name != "access-control-allow-credentials" || furtherNames.contains(name)
        else { return false }
        return furtherNames.contains(name) || SecretFieldNames.contains(name)
    }

    /// Whether strings of a JSON member are secret.
    func isSecretMember(_ name: String) -> Bool {
        // Of OAuth (RFC 6749 section 5.1), and the identifier of anything.
        let isUsual = ["key", "token_type", "tokentype"].contains(name.lowercased())
        return isUsual ? furtherNames.contains(name.lowercased()) : isSecret(name)
    }
}
