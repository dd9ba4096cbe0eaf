import BluebonnetTransport
import Foundation

// Values that a task has sent, and that must not be printed.
extension Redactor.KnownValue {
    /// The number of bytes from which a value is hidden within words too.
    private static let longestWord = 5
    /// The length in bytes up to which a named value is hidden only after its name.
    ///
    /// A cookie's value is often 0 or 1.
    private static let longestNamed = 2
    /// The length in bytes of the shortest part that is hidden.
    private static let shortestStrongPart = 8
    /// The same for weak values, which can be words and URLs, whose parts occur in many texts.
    private static let shortestWeakPart = 16

    /// Whether the value is part of a URL, and therefore often not secret.
    var isWeak: Bool { shortestPart == Self.shortestWeakPart }

    /// Creates a value with its name if it is one of many, such as that of a cookie.
    init(sent text: String, name: String? = nil, isWeak: Bool = false) {
        let count = (text.removingPercentEncoding ?? text).utf8.count
        self.init(text, isWord: count <= Self.longestWord)
        self.name = count <= Self.longestNamed ? name : nil
        shortestPart = isWeak ? Self.shortestWeakPart : Self.shortestStrongPart
    }
}

// Header fields.
extension Redactor.KnownValue {
    /// Returns the secret values in fields, selected by known and additional names.
    static func all(in fields: [Exchange.Field], _ furtherNames: Set<String>) -> [Self] {
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

    private static func cookies(_ value: String) -> [Self] {
        value.split(separator: ";").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map(trimmed)
            return parts.count == 2
                ? Self(sent: parts[1], name: parts[0]) : Self(sent: trimmed(pair))
        }
    }

    /// Returns the secrets in a field value: its words, its parameter values, and a Basic password.
    ///
    /// The name of a scheme is not a secret.
    private static func all(inValue value: String) -> [Self] {
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
            let value = Self(sent: trimmed(word[word.index(after: sign)...]), name: name)
            // A single word can be a parameter or the whole secret.
            return words.count == 1 ? [value, Self(sent: String(word))] : [value]
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

    private static func token(_ word: Substring) -> [Self] {
        let login = Data(base64Encoded: String(word)).flatMap { String(data: $0, encoding: .utf8) }
        guard let login, let colon = login.firstIndex(of: ":") else {
            return [Self(sent: trimmed(word))]
        }
        return [Self(sent: String(word)), Self(sent: String(login[login.index(after: colon)...]))]
    }

    private static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: "\" \t"))
    }
}

// URLs and proxies.
extension Redactor.KnownValue {
    /// Returns the values of a URL's query, and its user name and password.
    static func all(inURL url: String) -> [Self] {
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
            .split(separator: "?", maxSplits: 1)
        return (parts.first.map(login) ?? []) + (parts.count == 2 ? query(parts[1]) : [])
    }

    private static func query(_ query: Substring) -> [Self] {
        query.utf8.split(separator: UInt8(ascii: "&")).flatMap { item -> [Self] in
            var name: String?
            // A value can contain semicolons, but a server can also treat each piece as an item.
            let pieces = [item] + item.split(separator: UInt8(ascii: ";"))
            return pieces.map { piece in
                let sign = piece.firstIndex(of: UInt8(ascii: "="))
                if let sign { name = String(Substring(piece[..<sign])) }
                let value = sign.map { piece[$0...].dropFirst() } ?? piece
                let isSecret = (name?.removingPercentEncoding ?? name).map(
                    SecretFieldNames.contains)
                return Self(sent: String(Substring(value)), name: name, isWeak: isSecret != true)
            }
        }
    }

    private static func login(_ beforeQuery: Substring) -> [Self] {
        guard let start = beforeQuery.firstRange(of: "//")?.upperBound,
            let end = beforeQuery[start...].lastIndex(of: "@")
        else { return [] }
        let parts = beforeQuery[start..<end].split(separator: ":", maxSplits: 1)
        return parts.enumerated().map {
            Self(sent: String($1), isWeak: $0 == 0 && parts.count == 2)
        }
    }

    /// Returns the user name and password of a proxy, and the form in which they are sent.
    static func all(in proxy: Exchange.Route.Proxy, _ furtherNames: Set<String>) -> [Self] {
        let name = proxy.username ?? ""
        let password = proxy.password ?? ""
        var values = all(in: proxy.fields, furtherNames)
        guard !name.isEmpty || !password.isEmpty else { return values }
        values += [
            Self(sent: password), Self(sent: name, isWeak: true),
            Self(sent: Data("\(name):\(password)".utf8).base64EncodedString()),
        ]
        return values
    }
}
