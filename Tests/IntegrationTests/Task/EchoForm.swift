import Foundation

/// A form in which a server echoes a request.
enum EchoForm: String, CaseIterable, Sendable {
    case text, json, unicodeJSON, percent

    var contentType: String {
        switch self {
        case .text, .percent: "text/plain"
        case .json, .unicodeJSON: "application/json"
        }
    }

    func document(_ text: String) -> String {
        switch self {
        case .text, .percent: text
        case .json, .unicodeJSON: "{\"told\": \"\(text)\"}"
        }
    }

    func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            switch self {
            case .text: return String(scalar)
            case .json:
                return "\"\\/".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
            case .unicodeJSON:
                return scalar.properties.isAlphabetic ? String(scalar) : "\\u" + Self.four(scalar)
            case .percent:
                return scalar.properties.isAlphabetic
                    ? String(scalar) : "%" + Self.four(scalar).suffix(2)
            }
        }.joined()
    }

    private static func four(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
