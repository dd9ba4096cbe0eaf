/// Hides secrets in text that is printed, logged or stored.
///
/// These are secrets:
///
/// - Values with a name that ``SecretFieldNames`` contains, in JSON, queries, fragments and forms.
/// - The user and password of a URL.
/// - The ``knownValues``, wherever a text repeats them as they are, percent-encoded or escaped as
///   in JSON.
///
/// Errors, descriptions as `curl` commands, loggers and cassettes hide their secrets with it. Names
/// are not found in XML, in multipart forms and in compressed data.
///
/// ```swift
/// let line = Redactor().redacted("GET https://example.org/?page=2&token=abc")
/// // GET https://example.org/?page=2&token=<redacted>
/// ```
public struct Redactor: Sendable {
    /// The text that replaces a secret.
    public static let mark = "<redacted>"

    /// Additional names whose values are secret; case does not matter.
    public var furtherNames: Set<String>
    /// Names whose values are kept, although they are names of secrets; case does not matter.
    public var keptNames: Set<String>
    /// Returns further secrets in a text, such as card numbers.
    public var furtherSecrets: @Sendable (_ text: String) -> [String]
    /// Values that are secret wherever they occur.
    public var knownValues: Set<KnownValue> = []
    /// Whether JSON keeps its structure for the code that decodes it.
    ///
    /// Then only strings are secret, and not those named `key` or `token_type`. The default is
    /// false: any value with a secret name is replaced with a string.
    public var keepsJSON = false

    /// Creates a redactor; the default adds nothing to the names of ``SecretFieldNames``.
    public init(
        furtherNames: Set<String> = [], keptNames: Set<String> = [],
        furtherSecrets: @escaping @Sendable (_ text: String) -> [String] = { _ in [] }
    ) {
        self.furtherNames = furtherNames
        self.keptNames = keptNames
        self.furtherSecrets = furtherSecrets
    }

    // MARK: Names

    /// Returns whether the value of a header field, a query item or a form field is secret.
    public func isSecret(_ name: String) -> Bool {
        !Self.contains(name, in: keptNames)
            && (Self.contains(name, in: furtherNames) || SecretFieldNames.contains(name))
    }

    /// Returns whether the value of a JSON member is secret.
    public func isSecretMember(_ name: String) -> Bool {
        // `token_type` belongs to OAuth (RFC 6749 section 5.1), and `key` can identify anything.
        let isUsual = keepsJSON && ["key", "token_type", "tokentype"].contains(name.lowercased())
        return isUsual ? Self.contains(name, in: furtherNames) : isSecret(name)
    }

    private static func contains(_ name: String, in names: Set<String>) -> Bool {
        names.contains { $0.caseInsensitiveEquals(name) }
    }

    // MARK: Texts

    /// Returns the text with `<redacted>` in place of secrets.
    ///
    /// Text that is cut, and JSON and URLs within other text, are searched too.
    public func redacted(_ text: String, as syntax: Syntax = .text) -> String {
        redacted(text, as: syntax, limit: .max)
    }

    /// Returns at most `limit` Unicode scalars of the text, with `<redacted>` in place of secrets.
    ///
    /// The search covers the whole text, so that no secret is shown in part at the limit.
    package func redacted(_ text: String, as syntax: Syntax, limit: Int) -> String {
        var redactor = self
        redactor.learn(from: text)
        let bytes = Array(text.utf8)
        let end = String(text.unicodeScalars.prefix(limit)).utf8.count
        var (shown, place): ([UInt8], Int) = ([], 0)
        for finding in redactor.findings(in: bytes, as: syntax) {
            guard finding.range.lowerBound < end else { break }
            shown += bytes[place..<finding.range.lowerBound]
            shown += (finding.isUnquoted ? "\"\(Self.mark)\"" : Self.mark).utf8
            place = finding.range.upperBound
        }
        if place < end { shown += bytes[place..<end] }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Adds the ``furtherSecrets`` of a text to the known values.
    public mutating func learn(from text: String) {
        for secret in furtherSecrets(text) { knownValues.insert(KnownValue(secret)) }
    }

    /// Returns the secrets in a text, in order and without overlaps.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8, or data.
    ///   - syntax: The ways in which names are written; without any, only known values are found.
    /// - Returns: The secrets. Of secrets that overlap, the first one has the range of all.
    public func findings(in text: [UInt8], as syntax: Syntax = .text) -> [Finding] {
        let found =
            NamedSecrets.all(in: text, as: syntax, by: self)
            + ValueSearch.findings(of: knownValues, in: text)
        var findings: [Finding] = []
        for finding in found.sorted(by: { $0.precedes($1) }) {
            if let last = findings.last, finding.range.lowerBound < last.range.upperBound {
                let end = max(last.range.upperBound, finding.range.upperBound)
                findings[findings.count - 1].range = last.range.lowerBound..<end
            } else {
                findings.append(finding)
            }
        }
        return findings
    }
}

extension Redactor {
    /// The ways in which names and values are written in a text.
    public struct Syntax: OptionSet, Sendable {
        /// The raw bits of the options.
        public let rawValue: Int

        /// Creates options from raw bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// JSON and URLs, also within other text.
        public static let text = Syntax(rawValue: 1 << 0)
        /// A URL-encoded form, or the query of a URL.
        public static let form = Syntax(rawValue: 1 << 1)
    }

    /// A value that is hidden wherever a text repeats it.
    public struct KnownValue: Sendable, Hashable {
        /// The value; an empty one is never found.
        public let text: String
        /// Whether only occurrences with no letter or digit next to them are hidden.
        public let isWord: Bool
        /// The name that must precede the value, with a few characters between.
        package var name: String?
        /// The length in bytes of the shortest part that is hidden too; nil for none.
        package var shortestPart: Int?

        /// Creates a value; by default, it is hidden within words too.
        public init(_ text: String, isWord: Bool = false) {
            self.text = text
            self.isWord = isWord
        }
    }

    /// A secret in a text.
    public struct Finding: Sendable {
        /// The place of the secret in the UTF-8 of the text.
        public internal(set) var range: Range<Int>
        /// The secret without escapes, or the known value that it repeats.
        public let value: String
        /// The name of the value, without escapes; nil for a login and for a known value.
        public internal(set) var name: String?
        /// Whether the secret was found by its name or its place in a URL.
        public internal(set) var isNamed = true
        /// Whether the secret is a JSON value without quotes: a number, an array and the like.
        public internal(set) var isUnquoted = false

        /// Of findings at the same place, the longest comes first, and a named one before others.
        fileprivate func precedes(_ other: Self) -> Bool {
            func rank(_ finding: Self) -> (Int, Int, Int, String) {
                (
                    finding.range.lowerBound, -finding.range.count, finding.isNamed ? 0 : 1,
                    finding.value
                )
            }
            return rank(self) < rank(other)
        }
    }
}

// Values and findings are secrets themselves.
extension Redactor.KnownValue: CustomReflectable {
    /// Nothing, because the value is secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Redactor.Finding: CustomReflectable {
    /// Nothing, because the value is secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
