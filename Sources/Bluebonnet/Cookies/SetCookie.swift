import BluebonnetTransport
import Foundation

/// The contents of one Set-Cookie field line (RFC 6265 section 5.2).
struct SetCookie: Sendable {
    /// The maximum size of name and value together, in bytes.
    static let maximumSize = 4096
    /// The maximum size of an attribute's value in bytes; larger attributes are ignored (RFC
    /// 6265bis section 5.6).
    static let maximumAttributeSize = 1024

    let name: String
    let value: String
    private(set) var expires: Date?
    /// The lifetime in seconds; infinite for a number that is out of range.
    private(set) var maxAge: Double?
    /// The domain in lowercase, with one leading dot removed; nil if absent or empty.
    private(set) var domain: String?
    /// The path; nil if absent or without a leading slash.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: Cookie.SameSite?

    /// Creates the contents of a line, or returns nil if the line sets no cookie.
    ///
    /// A line sets no cookie if it has no name, is too long, contains a control character other
    /// than a tab, or has a tab in its path.
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
        // No request path contains a tab, and other programs' cookie files use tabs as separators.
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
        // A floating-point number overflows to infinity, where an integer would trap.
        let number = digits.reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
        return isNegative ? -number : number
    }
}

private let tab = UInt8(ascii: "\t")

extension UInt8 {
    var isControl: Bool { self < 0x20 || self == 0x7F }
}

extension ArraySlice<UInt8> {
    /// Returns the parts before and after the first "=", without surrounding whitespace.
    ///
    /// The second part is nil if there is no "=".
    fileprivate func split() -> (name: Self, value: Self?) {
        guard let equals = firstIndex(of: UInt8(ascii: "=")) else { return (trimmed, nil) }
        return (self[..<equals].trimmed, self[(equals + 1)...].trimmed)
    }
}
