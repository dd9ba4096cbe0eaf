import BluebonnetTransport
import Foundation

/// A value that was sent and must not be printed.
struct Secret: Hashable {
    let value: String
    /// The name of the value if it is one of many, such as that of a cookie.
    var name: String?
    /// Whether the value is part of a query, and therefore often not secret.
    var isOfQuery = false

    init(_ value: String, name: String? = nil, isOfQuery: Bool = false) {
        self.value = value
        self.name = name
        self.isOfQuery = isOfQuery
    }
}

// Header fields.
extension Secret {
    /// Returns the secret values in fields, selected by known and additional names.
    static func all(in fields: [Exchange.Field], _ furtherNames: Set<String>) -> [Secret] {
        fields.flatMap { field in
            if field.name.caseInsensitiveEquals("Referer") { return all(inURL: field.value) }
            let isSecret =
                SecretFieldNames.contains(field.name)
                || furtherNames.contains { $0.caseInsensitiveEquals(field.name) }
            guard isSecret else { return [] }
            let isCookie = field.name.caseInsensitiveEquals("Cookie")
            return isCookie ? cookies(field.value) : all(inValue: field.value)
        }
    }

    private static func cookies(_ value: String) -> [Secret] {
        value.split(separator: ";").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map(trimmed)
            return parts.count == 2 ? Secret(parts[1], name: parts[0]) : Secret(trimmed(pair))
        }
    }

    /// Returns the secrets in a field value: its words, its parameter values, and a Basic password.
    ///
    /// The name of a scheme is not a secret.
    private static func all(inValue value: String) -> [Secret] {
        var words = words(of: value)
        // A single word is the secret itself.
        if words.count > 1, let scheme = words.first, isScheme(scheme) { words.removeFirst() }
        return words.flatMap { word in
            // Base64 can also end with equals signs.
            let end = word.lastIndex { $0 != "=" } ?? word.startIndex
            guard let sign = word[..<end].firstIndex(of: "="),
                word[..<sign].utf8.allSatisfy({ $0.isLetterOrDigit || "-_.".utf8.contains($0) })
            else { return token(word) }
            let name = word[..<sign].lowercased()
            guard !harmlessParameters.contains(name) else { return [] }
            let value = Secret(trimmed(word[word.index(after: sign)...]), name: name)
            // A single word can be a parameter or the whole secret.
            return words.count == 1 ? [value, Secret(String(word))] : [value]
        }
    }

    /// Returns the words between spaces, tabs, commas and semicolons outside quotes.
    private static func words(of value: String) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        // Splits bytes, because a combining mark merges with a preceding quote into one
        // `Character`.
        let words = value.utf8.split { byte in
            if isEscaped {
                isEscaped = false
                return false
            }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\")
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return !isQuoted && " \t,;".utf8.contains(byte)
        }
        return words.map { Substring($0) }
    }

    private static func isScheme(_ word: Substring) -> Bool {
        if case .other = AuthenticationScheme(name: String(word)) {
            return ["token", "apikey", "dpop"].contains(word.lowercased())
        }
        return true
    }

    /// Digest parameters that are not secret and are common words (RFC 7616 section 3.4).
    private static let harmlessParameters: Set<String> = [
        "algorithm", "charset", "nc", "qop", "realm", "uri", "userhash", "username",
    ]

    private static func token(_ word: Substring) -> [Secret] {
        let login = Data(base64Encoded: String(word)).flatMap { String(data: $0, encoding: .utf8) }
        guard let login, let colon = login.firstIndex(of: ":") else {
            return [Secret(trimmed(word))]
        }
        return [Secret(String(word)), Secret(String(login[login.index(after: colon)...]))]
    }

    private static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: "\" \t"))
    }
}

// URLs and proxies.
extension Secret {
    /// Returns the values of a URL's query, and its user name and password.
    static func all(inURL url: String) -> [Secret] {
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
            .split(separator: "?", maxSplits: 1)
        return (parts.first.map(login) ?? []) + (parts.count == 2 ? query(parts[1]) : [])
    }

    private static func query(_ query: Substring) -> [Secret] {
        query.utf8.split(separator: UInt8(ascii: "&")).flatMap { items in
            QueryItem.all(betweenSemicolonsOf: Substring(items)).flatMap(secrets)
        }
    }

    private static func secrets(of item: QueryItem) -> [Secret] {
        let value = Secret(String(item.value), name: item.name, isOfQuery: !item.isSecret)
        // A server can treat each piece as an item.
        let pieces = item.value.utf8.split(separator: UInt8(ascii: ";"))
        guard item.isSecret, pieces.count > 1 else { return [value] }
        return [value] + pieces.map { Secret(String(Substring($0)), name: item.name) }
    }

    private static func login(_ beforeQuery: Substring) -> [Secret] {
        guard let start = beforeQuery.firstRange(of: "//")?.upperBound,
            let end = beforeQuery[start...].lastIndex(of: "@")
        else { return [] }
        let parts = beforeQuery[start..<end].split(separator: ":", maxSplits: 1)
        return parts.enumerated().map { Secret(String($1), isOfQuery: $0 == 0 && parts.count == 2) }
    }

    /// Returns the user name and password of a proxy, and the form in which they are sent.
    static func all(in proxy: Exchange.Route.Proxy, _ furtherNames: Set<String>) -> [Secret] {
        let name = proxy.username ?? ""
        let password = proxy.password ?? ""
        var secrets = all(in: proxy.fields, furtherNames)
        guard !name.isEmpty || !password.isEmpty else { return secrets }
        secrets += [
            Secret(password), Secret(name, isOfQuery: true),
            Secret(Data("\(name):\(password)".utf8).base64EncodedString()),
        ]
        return secrets
    }
}
