import Bluebonnet

/// Replaces the secrets that a redactor finds with placeholders.
///
/// A secret is recognized by its name in one place, and hidden in other places too. Redact
/// everything twice, and keep the results of the second pass.
struct PlaceholderRedactor {
    private var redactor: Redactor
    private var placeholders: SecretPlaceholders
    /// The minimum length in bytes of a secret to hide elsewhere; shorter words occur in many texts.
    private static let shortestWord = 8

    init(_ redactor: Redactor, behind text: String = "") {
        self.redactor = redactor
        self.redactor.keepsJSON = true
        placeholders = SecretPlaceholders(behind: text)
    }

    // MARK: Fields

    mutating func redacted(_ field: Exchange.Field) -> Exchange.Field {
        redactor.learn(from: "\(field.name): \(field.value)")
        let name = field.name.lowercased()
        var field = field
        if !redactor.isSecret(field.name) {
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
        let name = pair.firstIndex(of: "=").map { pair[...$0] } ?? pair.prefix { $0 == " " }
        let value = pair[name.endIndex...].trimmingCharacters(in: .whitespaces)
        guard !value.isEmpty else { return String(name) }
        // Many cookies have a value such as "accepted", which occurs in other texts too.
        if value.contains(where: \.isNumber) { hideElsewhere(value) }
        return name + placeholders.placeholder(for: value)
    }

    private mutating func credential(_ value: String, isAuthorization: Bool) -> String {
        guard !value.isEmpty else { return value }
        guard isAuthorization, let space = value.firstIndex(of: " ") else {
            return hide(value)
        }
        let scheme = value[..<space]
        let rest = value[space...].trimmingCharacters(in: .whitespaces)
        let placeholder = hide(rest)
        if scheme.lowercased() == "basic", let login = Data(base64Encoded: rest) {
            let parts = String(decoding: login, as: UTF8.self)
                .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            // Some services take a key as the user, without a password.
            if let secret = parts.last(where: { !$0.isEmpty }) { _ = hide(String(secret)) }
        }
        return "\(scheme) \(placeholder)"
    }

    /// Returns the placeholder of a secret, and hides the secret elsewhere too.
    private mutating func hide(_ secret: String) -> String {
        hideElsewhere(secret)
        return placeholders.placeholder(for: secret)
    }

    private mutating func hideElsewhere(_ secret: String) {
        guard secret.utf8.count >= Self.shortestWord else { return }
        redactor.knownValues.insert(.init(secret, isWord: true))
    }

    // MARK: Texts

    /// Returns a URL, or a text that can contain URLs, without secrets.
    mutating func redacted(_ text: String) -> String {
        redactor.learn(from: text)
        let data = Data(text.utf8)
        return String(decoding: data.replacing(replacements(in: data, as: .text)), as: UTF8.self)
    }

    mutating func redacted(_ body: RecordedBody, fields: [Exchange.Field]) -> RecordedBody {
        // A copy whose indexes begin at 0.
        let data = Data(body.data)
        guard !data.isEmpty else { return body }
        let type = fields.value(of: "Content-Type")?.lowercased() ?? ""
        var replacements: [Replacement] = []
        if let text = String(validating: data, as: UTF8.self) { redactor.learn(from: text) }
        if let json = try? CassetteJSONReader.read(data, depthLimit: RecordedBody.depthLimit) {
            addReplacements(in: json, .open, to: &replacements)
        } else if data.plainText != nil || type.hasPrefix("text/") || fields.declareJSON {
            // A text that was cut within a character is not valid UTF-8.
            let isForm = type.hasPrefix("application/x-www-form-urlencoded")
            replacements = self.replacements(in: data, as: isForm ? [.text, .form] : .text)
        } else {
            replacements = self.replacements(in: data, as: [])
        }
        return body.replacing(replacements)
    }

    /// The secrecy of a JSON value, according to the names above it.
    private enum Secrecy {
        case open
        /// Its own name is that of a secret.
        case named
        /// An object or array around it has the name of a secret, and can contain other values too.
        case enclosed
    }

    private mutating func addReplacements(
        in value: JSONValue, _ secrecy: Secrecy, to replacements: inout [Replacement]
    ) {
        switch value.content {
        case .literal(let text):
            let secret = redactor.knownValues.first { !$0.isWord && text.contains($0.text) }
            guard let secret else { return }
            let token = JSONString(placeholders.placeholder(for: secret.text)).token
            replacements.append(Replacement(range: value.range, bytes: Data(token.utf8)))
        case .array(let elements):
            for element in elements { addReplacements(in: element, secrecy, to: &replacements) }
        case .object(let members):
            for member in members {
                let isNamed = redactor.isSecretMember(member.key.text)
                let inner = isNamed ? Secrecy.named : secrecy == .open ? .open : .enclosed
                addReplacements(in: member.value, inner, to: &replacements)
            }
        case .string(let string):
            let text = string.text
            let shown =
                switch secrecy {
                case _ where text.isEmpty: text
                case .open: redacted(text)
                case .named: hide(text)
                case .enclosed: placeholders.placeholder(for: text)
                }
            guard shown != text else { return }
            replacements.append(
                Replacement(range: value.range, bytes: Data(JSONString(shown).token.utf8)))
        }
    }

    private mutating func replacements(
        in data: Data, as syntax: Redactor.Syntax
    ) -> [Replacement] {
        redactor.findings(in: Array(data), as: syntax).map { finding in
            if finding.isNamed { hideElsewhere(finding.value) }
            let placeholder = placeholders.placeholder(for: finding.value)
            return Replacement(range: finding.range, bytes: Data(placeholder.utf8))
        }
    }
}
