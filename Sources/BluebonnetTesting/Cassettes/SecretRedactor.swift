import Bluebonnet

/// Replaces secrets with placeholders.
///
/// A secret is known by its name at one place, and hidden at others too: give it everything twice, and keep what it
/// returns the second time.
struct SecretRedactor {
    private let rules: CassetteRedaction
    private var placeholders: SecretPlaceholders
    /// What is hidden wherever it stands, also within words.
    private var further: Set<String> = []
    /// Of what was found by its name, in bytes: shorter words are in many a text.
    private static let shortestWord = 8

    init(_ rules: CassetteRedaction, behind text: String = "") {
        self.rules = rules
        placeholders = SecretPlaceholders(behind: text)
    }

    // MARK: Fields

    mutating func redacted(_ field: Exchange.Field) -> Exchange.Field {
        learn(from: "\(field.name): \(field.value)")
        let name = field.name.lowercased()
        var field = field
        if !rules.isSecret(name) {
            field.value = redacted(field.value)
        } else if name == "cookie" {
            field.value = field.value.split(separator: ";", omittingEmptySubsequences: false)
                .map { cookie($0) }.joined(separator: ";")
        } else if name == "set-cookie" {
            let pair = field.value.prefix { $0 != ";" }
            field.value = cookie(pair) + field.value[pair.endIndex...]
        } else {
            field.value = credential(field.value, isAuthorization: name.hasSuffix("authorization"))
        }
        return field
    }

    private mutating func cookie(_ pair: Substring) -> String {
        guard let sign = pair.firstIndex(of: "=") else { return String(pair) }
        let name = pair[...sign]
        let value = pair[name.endIndex...].trimmingCharacters(in: .whitespaces)
        return name + (value.isEmpty ? "" : placeholders.placeholder(for: value))
    }

    private mutating func credential(_ value: String, isAuthorization: Bool) -> String {
        guard !value.isEmpty else { return value }
        guard isAuthorization, let space = value.firstIndex(of: " ") else {
            return placeholders.placeholder(for: value)
        }
        let scheme = value[..<space]
        let rest = value[space...].trimmingCharacters(in: .whitespaces)
        let placeholder = placeholders.placeholder(for: rest)
        if scheme.lowercased() == "basic", let login = Data(base64Encoded: rest) {
            let parts = String(decoding: login, as: UTF8.self).split(separator: ":", maxSplits: 1)
            if parts.count == 2 { _ = placeholders.placeholder(for: String(parts[1])) }
        }
        return "\(scheme) \(placeholder)"
    }

    // MARK: Texts

    /// A URL, or a text that may hold some.
    mutating func redacted(_ text: String) -> String {
        learn(from: text)
        let data = Data(text.utf8)
        return String(decoding: data.replacing(replacements(in: data)), as: UTF8.self)
    }

    mutating func redacted(_ body: RecordedBody, fields: [Exchange.Field]) -> RecordedBody {
        // Of one that has no indices but from 0 on.
        let data = Data(body.data)
        guard !data.isEmpty else { return body }
        var replacements: [Replacement] = []
        if let text = data.plainText {
            learn(from: text)
            if let json = try? JSONReader.read(data, depthLimit: RecordedBody.depthLimit) {
                addReplacements(in: json, isSecret: false, to: &replacements)
            } else {
                let type = fields.value(of: "Content-Type")?.lowercased() ?? ""
                let isForm = type.hasPrefix("application/x-www-form-urlencoded")
                replacements = self.replacements(in: data, isForm: isForm)
            }
        } else {
            replacements = wordReplacements(in: data)
        }
        return body.replacing(replacements)
    }

    private mutating func addReplacements(
        in value: JSONValue, isSecret: Bool, to replacements: inout [Replacement]
    ) {
        switch value.content {
        case .literal: break
        case .array(let elements):
            for element in elements {
                addReplacements(in: element, isSecret: isSecret, to: &replacements)
            }
        case .object(let members):
            for member in members {
                let isSecret = isSecret || rules.isSecretMember(member.key.text)
                addReplacements(in: member.value, isSecret: isSecret, to: &replacements)
            }
        case .string(let string):
            let text = string.text
            let shown =
                isSecret && !text.isEmpty
                ? placeholders.placeholder(for: text) : redacted(text)
            guard shown != text else { return }
            replacements.append(
                Replacement(range: value.range, bytes: Data(JSONString(shown).token.utf8)))
        }
    }

    private mutating func replacements(in data: Data, isForm: Bool = false) -> [Replacement] {
        let named = NamedSecrets.all(in: Array(data), isForm: isForm, where: rules.isSecret)
        var replacements = named.map { secret in
            let placeholder = placeholders.placeholder(for: secret.value)
            return Replacement(range: secret.range, bytes: Data(placeholder.utf8))
        }
        for other in wordReplacements(in: data)
        where !replacements.contains(where: { $0.range.overlaps(other.range) }) {
            replacements.append(other)
        }
        return replacements.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Known secrets

    private mutating func learn(from text: String) {
        for secret in rules.furtherSecrets(text) where !secret.isEmpty {
            further.insert(secret)
            _ = placeholders.placeholder(for: secret)
        }
    }

    /// Where what is known stands, in order; of those that overlap, the longest.
    private mutating func wordReplacements(in data: Data) -> [Replacement] {
        var replacements: [Replacement] = []
        let secrets = placeholders.secrets.filter {
            further.contains($0) || $0.utf8.count >= Self.shortestWord
        }
        for secret in secrets.sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) }) {
            let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            let placeholder = Data(placeholders.placeholder(for: secret).utf8)
            for form in Set([secret, escaped ?? secret]) {
                var place = 0
                while let range = data.range(of: Data(form.utf8), in: place..<data.count) {
                    place = range.upperBound
                    guard further.contains(secret) || data.isWord(range),
                        !replacements.contains(where: { $0.range.overlaps(range) })
                    else { continue }
                    replacements.append(Replacement(range: range, bytes: placeholder))
                }
            }
        }
        return replacements.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}

extension Data {
    /// Whether no letter or digit is before or behind a range.
    fileprivate func isWord(_ range: Range<Int>) -> Bool {
        let before = range.lowerBound > 0 && self[range.lowerBound - 1].isPartOfWord
        let behind = range.upperBound < count && self[range.upperBound].isPartOfWord
        return !before && !behind
    }
}

extension UInt8 {
    fileprivate var isPartOfWord: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF) || self >= 0x80
    }
}
