extension Exchange {
    /// One header field.
    ///
    /// Its printed form leaves out what its name says is secret.
    public struct Field: Sendable, Hashable {
        /// The field's name as it is written.
        public var name: String
        /// The field's value without surrounding white space.
        public var value: String

        /// Makes a field; nothing is checked.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether it is a login for a proxy.
        package var isProxyAuthorization: Bool {
            name.caseInsensitiveEquals("Proxy-Authorization")
        }
    }
}

extension Exchange.Field: CustomStringConvertible, CustomReflectable {
    /// Name and value; `<redacted>` stands for the value of `Authorization`, `Cookie`, `Set-Cookie`
    /// and whatever else is named like a secret, and URLs are without user, query and fragment.
    public var description: String { "\(name): \(printedValue)" }

    /// Name and value as in ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": printedValue])
    }

    private var printedValue: String {
        if SecretFieldNames.contains(name) { return "<redacted>" }
        return Self.namesOfURLs.contains(name.lowercased()) ? value.withoutURLSecrets : value
    }

    private static let namesOfURLs: Set<String> = [
        "content-location", "link", "location", "origin", "referer", "refresh",
    ]
}
