import BluebonnetTransport
import Foundation

/// The contents of one Set-Cookie field line (RFC 6265 section 5.2).
struct SetCookie: Sendable {
    /// Bytes of name and value together.
    static let maximumSize = 4096
    /// Bytes of one attribute's value; a longer one counts as absent (RFC 6265bis section 5.6).
    static let maximumAttributeSize = 1024

    let name: String
    let value: String
    private(set) var expires: Date?
    /// Seconds from now; infinite for numbers out of range.
    private(set) var maxAge: Double?
    /// In lower case, without one dot in front; nil when it is absent or empty.
    private(set) var domain: String?
    /// Nil when it is absent or does not start with a slash.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: Cookie.SameSite?

    /// Nil for a line that sets nothing: without a name, too long, or with a control character,
    /// wherever that stands.
    init?(_ line: String) {
        let bytes = Array(line.utf8)
        guard !bytes.contains(where: { $0.isControl && $0 != tab }) else { return nil }
        var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst()?.split(), let pairValue = pair.value,
            !pair.name.isEmpty, pair.name.count + pairValue.count <= Self.maximumSize
        else { return nil }
        name = String(decoding: pair.name, as: UTF8.self)
        value = String(decoding: pairValue, as: UTF8.self)
        for part in parts {
            let attribute = part.split()
            read(attribute.name, attribute.value ?? [])
        }
        // No request's path holds a tab, and files of other programs break at one.
        if path?.utf8.contains(tab) == true { return nil }
    }

    private mutating func read(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        guard value.count <= Self.maximumAttributeSize else { return }
        switch String(decoding: name.map(\.asciiLowercased), as: UTF8.self) {
        case "expires": expires = CookieDate(value)?.date ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain": if !value.isEmpty { domain = Self.domain(value) }
        case "path":
            let text = String(decoding: value, as: UTF8.self)
            path = value.first == UInt8(ascii: "/") ? text : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite":
            let word = String(decoding: value.map(\.asciiLowercased), as: UTF8.self)
            sameSite = Cookie.SameSite(rawValue: word)
        default: break
        }
    }

    private static func domain(_ value: ArraySlice<UInt8>) -> String? {
        let name = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
        guard !name.isEmpty else { return nil }
        return String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
    }

    private static func seconds(_ value: ArraySlice<UInt8>) -> Double? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        // A floating-point number overflows to infinity where an integer would trap.
        let number = digits.reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
        return isNegative ? -number : number
    }
}

private let tab = UInt8(ascii: "\t")

extension UInt8 {
    var isControl: Bool { self < 0x20 || self == 0x7F }
}

extension ArraySlice<UInt8> {
    /// What stands before and after the first "=", without white space around it; the second is
    /// nil without a "=".
    fileprivate func split() -> (name: Self, value: Self?) {
        guard let equals = firstIndex(of: UInt8(ascii: "=")) else { return (trimmed, nil) }
        return (self[..<equals].trimmed, self[(equals + 1)...].trimmed)
    }

    private var trimmed: Self {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == tab }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return [] }
        return self[first...last]
    }
}
