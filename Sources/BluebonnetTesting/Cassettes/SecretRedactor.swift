import Bluebonnet

/// Replaces secrets with placeholders.
///
/// A secret is recognized by its name in one place, and hidden in other places too. Redact
/// everything twice, and keep the results of the second pass.
struct SecretRedactor {
    private let rules: CassetteRedaction
    private var placeholders: SecretPlaceholders
    /// The secrets that are hidden wherever they are separate words.
    private var known: Set<String> = []
    /// The secrets that are hidden everywhere, even within words.
    private var further: Set<String> = []
    /// The minimum length in bytes of a known secret to hide; shorter words occur in many texts.
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
        let name = pair.firstIndex(of: "=").map { pair[...$0] } ?? pair.prefix { $0 == " " }
        let value = pair[name.endIndex...].trimmingCharacters(in: .whitespaces)
        guard !value.isEmpty else { return String(name) }
        // Many cookies have a value such as "accepted", which occurs in other texts too.
        if value.contains(where: \.isNumber) { known.insert(value) }
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
        known.insert(secret)
        return placeholders.placeholder(for: secret)
    }

    // MARK: Texts

    /// Returns a URL, or a text that can contain URLs, without secrets.
    mutating func redacted(_ text: String) -> String {
        learn(from: text)
        let data = Data(text.utf8)
        return String(decoding: data.replacing(replacements(in: data)), as: UTF8.self)
    }

    mutating func redacted(_ body: RecordedBody, fields: [Exchange.Field]) -> RecordedBody {
        // A copy whose indexes begin at 0.
        let data = Data(body.data)
        guard !data.isEmpty else { return body }
        let type = fields.value(of: "Content-Type")?.lowercased() ?? ""
        var replacements: [Replacement] = []
        if let text = String(validating: data, as: UTF8.self) { learn(from: text) }
        if let json = try? JSONReader.read(data, depthLimit: RecordedBody.depthLimit) {
            addReplacements(in: json, .open, to: &replacements)
        } else if data.plainText != nil || type.hasPrefix("text/") || fields.declareJSON {
            // A text that was cut within a character is not valid UTF-8.
            let isForm = type.hasPrefix("application/x-www-form-urlencoded")
            replacements = self.replacements(in: data, isForm: isForm)
        } else {
            replacements = wordReplacements(in: data)
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
            guard let secret = further.first(where: { text.contains($0) }) else { return }
            let token = JSONString(placeholders.placeholder(for: secret)).token
            replacements.append(Replacement(range: value.range, bytes: Data(token.utf8)))
        case .array(let elements):
            for element in elements { addReplacements(in: element, secrecy, to: &replacements) }
        case .object(let members):
            for member in members {
                let isNamed = rules.isSecretMember(member.key.text)
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

    private mutating func replacements(in data: Data, isForm: Bool = false) -> [Replacement] {
        let bytes = Array(data)
        let named =
            NamedSecrets.all(in: bytes, isForm: isForm, where: rules.isSecret)
            + NamedSecrets.members(in: bytes, where: rules.isSecretMember)
        var replacements: [Replacement] = []
        for secret in named {
            let placeholder = hide(secret.value)
            guard let range = secret.range,
                !replacements.contains(where: { $0.range.overlaps(range) })
            else { continue }
            replacements.append(Replacement(range: range, bytes: Data(placeholder.utf8)))
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

    /// Returns replacements for the known secrets, in order; of overlapping ones, the longest.
    private mutating func wordReplacements(in data: Data) -> [Replacement] {
        var replacements: [Replacement] = []
        let secrets = known.filter { $0.utf8.count >= Self.shortestWord }.union(further)
        for secret in secrets.sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) }) {
            let placeholder = Data(placeholders.placeholder(for: secret).utf8)
            for form in secret.writtenForms {
                var place = 0
                while let range = data.range(of: form, in: place..<data.count) {
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

extension String {
    /// The text as it is, and percent-encoded in the ways of various encoders.
    fileprivate var writtenForms: Set<Data> {
        let digits = ["0123456789ABCDEF", "0123456789abcdef"].map { Array($0.utf8) }
        let kept = ["", "-._~", "-._~!$'()*,"].map { Set($0.utf8) }
        var forms: Set = [Data(utf8)]
        for (digits, kept) in digits.flatMap({ digits in kept.map { (digits, $0) } }) {
            var form = Data()
            for byte in utf8 {
                if byte < 0x80, byte.isPartOfWord || kept.contains(byte) {
                    form.append(byte)
                } else {
                    form += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
            forms.insert(form)
        }
        return forms
    }
}

extension Data {
    /// Returns whether no letter or digit is next to a range, except in an escape such as `%3D`
    /// before it.
    fileprivate func isWord(_ range: Range<Int>) -> Bool {
        let isEscaped =
            range.lowerBound > 2 && self[range.lowerBound - 3] == UInt8(ascii: "%")
        let before =
            range.lowerBound > 0 && !isEscaped && self[range.lowerBound - 1].isPartOfWord
        let behind = range.upperBound < count && self[range.upperBound].isPartOfWord
        return !before && !behind
    }
}

extension UInt8 {
    fileprivate var isPartOfWord: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF) || self >= 0x80
    }
}
