extension Exchange {
    /// A header field.
    ///
    /// Its description redacts the value if the name indicates a secret.
    public struct Field: Sendable, Hashable {
        /// The name of the field, in its original case.
        public var name: String
        /// The value of the field, without surrounding whitespace.
        public var value: String

        /// Creates a field without checking its name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether the field is a login for a proxy.
        package var isProxyAuthorization: Bool {
            name.caseInsensitiveEquals("Proxy-Authorization")
        }
    }
}

extension Exchange.Field: CustomStringConvertible, CustomReflectable {
    /// The name and the value, without secrets.
    ///
    /// `<redacted>` replaces the value if ``SecretFieldNames`` contains the name, such as
    /// `Authorization`, `Cookie` or `Set-Cookie`. URLs are without user, query and fragment.
    public var description: String { "\(name): \(printedValue)" }

    /// The name and the value as in ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": printedValue])
    }

    private var printedValue: String {
        if SecretFieldNames.contains(name) { return Redactor.mark }
        return Self.namesOfURLs.contains(name.lowercased()) ? value.withoutURLSecrets : value
    }

    private static let namesOfURLs: Set<String> = [
        "content-location", "link", "location", "origin", "referer", "refresh",
    ]
}
