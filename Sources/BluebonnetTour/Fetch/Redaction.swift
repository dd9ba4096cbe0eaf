import Bluebonnet

/// Replaces secrets in the printed parts of requests and responses.
struct Redaction: Sendable {
    static let mark = "<redacted>"
    /// A shorter secret is likely to be a part of unrelated words.
    private static let shortest = 4
    private static let namesOfURLs: Set<String> = ["content-location", "location", "referer"]

    /// Values to replace wherever they appear.
    private var secrets: [String] = []

    /// Makes a redaction of the password, and of the fields with names of secrets.
    init(login: FetchOptions.Login?, fields: [HTTPHeaders.Field]) {
        if let login, let password = login.password {
            add(password)
            let characters = CharacterSet.alphanumerics
            add(password.addingPercentEncoding(withAllowedCharacters: characters) ?? "")
            add(Data("\(login.user):\(password)".utf8).base64EncodedString())
        }
        for field in fields where SecretFieldNames.contains(field.name) {
            add(field.value)
            // Without the name of a scheme, such as Bearer.
            add(field.value.split(separator: " ").last.map(String.init) ?? "")
        }
    }

    private mutating func add(_ secret: String) {
        if secret.count >= Self.shortest { secrets.append(secret) }
    }

    /// Returns the text without the secrets.
    func text(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: Self.mark) }
    }

    /// Returns name and value of a header field, without the value of a secret one.
    func field(_ field: HTTPHeaders.Field) -> String {
        guard Self.namesOfURLs.contains(field.name.lowercased()) else {
            return text(field.description)
        }
        return "\(field.name): \(url(field.value))"
    }

    /// Returns a URL or a part of it, without login and without secrets in query and fragment.
    func url(_ url: String) -> String {
        let shown = url.withoutURLSecrets
        guard let end = url.firstIndex(where: { $0 == "?" || $0 == "#" }) else {
            return text(shown)
        }
        // The question mark may be a part of a password.
        guard !shown.hasSuffix("://…") else { return text(shown) }
        let marks: Set<Character> = ["?", "#", "&", ";"]
        var rest = url[end...]
        var result = String(shown.dropLast())
        while let mark = rest.popFirst() {
            let item = rest.prefix { !marks.contains($0) }
            rest = rest[item.endIndex...]
            result += "\(mark)\(Self.item(item))"
        }
        return text(result)
    }

    /// Returns an item of a query, without a secret value.
    private static func item(_ item: Substring) -> String {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { return String(item) }
        let name = parts[0].removingPercentEncoding ?? String(parts[0])
        let value = parts[1].removingPercentEncoding ?? String(parts[1])
        // The value may be a URL with a login.
        let mayHoldLogin = value.contains("@") && value.contains(":")
        return SecretFieldNames.contains(name) || mayHoldLogin
            ? "\(parts[0])=\(mark)" : String(item)
    }
}
