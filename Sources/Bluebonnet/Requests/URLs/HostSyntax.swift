import BluebonnetTransport
import Foundation

/// The syntax of the host in a URL's authority, judged by its characters.
enum HostSyntax: Equatable {
    /// A name or an IP address that all parsers read in the same way.
    ///
    /// It is a name of letters, digits, dots, hyphens and underscores, or an IPv4 or IPv6 address
    /// in its usual form. A link-local IPv6 address can have a zone.
    case plain
    /// Any other host.
    case unusual
    /// A host that ends in a number but is not an IPv4 address in its usual form.
    ///
    /// libcurl and the system read many of these as addresses, such as `0x7f.1` and `2130706433`,
    /// where Foundation sees a name.
    case number
    /// A name with nothing before its first dot or between two dots.
    ///
    /// Some parsers read it as the name without the extra dot.
    case emptyLabel
    /// A host with a port above 65535.
    case badPort

    /// Judges the text between `//` and the path, without user information.
    init(of authority: Slice<UnsafeBufferPointer<UInt8>>) {
        let isAddress = authority.first == UInt8(ascii: "[")
        let end =
            isAddress
            ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? authority.endIndex
            : authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        guard !Self.isBadPort(authority[end...]) else {
            self = .badPort
            return
        }
        guard Self.isPort(authority[end...]) else {
            self = .unusual
            return
        }
        let host = authority[..<end]
        self = isAddress ? Self.spelling(ofIPv6: host) : Self.spelling(ofName: host)
    }

    /// Returns whether a text is empty, or a colon with at most five digits.
    private static func isPort(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = text.first else { return true }
        return first == UInt8(ascii: ":") && text.count <= 6
            && text.dropFirst().allSatisfy(\.isDecimalDigit)
    }

    /// Returns whether a text is a colon and a number above 65535.
    private static func isBadPort(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), digits.allSatisfy(\.isDecimalDigit) else {
            return false
        }
        let number = digits.drop { $0 == 0x30 }
        return number.count > 5 || number.reduce(0) { $0 * 10 + Int($1 - 0x30) } > 65_535
    }

    private static func spelling(ofIPv6 host: Slice<UnsafeBufferPointer<UInt8>>) -> Self {
        guard host.last == UInt8(ascii: "]") else { return .unusual }
        let text = host.dropFirst().dropLast()
        guard let mark = text.firstIndex(of: UInt8(ascii: "%")) else {
            return String(decoding: text, as: UTF8.self).isIPv6Address ? .plain : .unusual
        }
        // Only a link-local address has a zone. Any other address would be read without its zone.
        let address = String(decoding: text[..<mark], as: UTF8.self)
        return address.isLinkLocalIPv6Address && isZone(text[mark...]) ? .plain : .unusual
    }

    /// Returns whether a text is an escaped `%` and the name or number of a network interface (RFC
    /// 6874 section 2).
    private static func isZone(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        text.starts(with: "%25".utf8) && (1...15).contains(text.count - 3)
            && text.dropFirst(3).allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "~") }
    }

    private static func spelling(ofName name: Slice<UnsafeBufferPointer<UInt8>>) -> Self {
        guard name.allSatisfy(\.isNameByte) else { return .unusual }
        guard !name.hasEmptyLabel else { return .emptyLabel }
        let end = name.last == UInt8(ascii: ".") ? name.endIndex - 1 : name.endIndex
        let start = name[..<end].lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? name.startIndex
        guard name[start..<end].isNumber else { return .plain }
        return name.isFourNumbers ? .plain : .number
    }

    /// Returns whether Foundation and libcurl find the same host and port in a URL.
    static func isReadAlike(_ url: URL, _ text: String) -> Bool {
        guard let authority = URLAuthority(of: text), let host = url.host(percentEncoded: true)
        else { return false }
        return host.lowercased() == authority.hostText
            && url.port ?? (authority.scheme == "https" ? 443 : 80) == authority.port
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Whether the text is decimal digits, or `0x` with any number of hexadecimal digits.
    fileprivate var isNumber: Bool {
        guard first?.isDecimalDigit == true else { return false }
        return allSatisfy(\.isDecimalDigit)
            || first == 0x30 && dropFirst().first?.asciiLowercased == UInt8(ascii: "x")
                && dropFirst(2).allSatisfy(\.isHexadecimalDigit)
    }

    /// Whether the text begins with a dot or has two dots in a row; one dot at the end is allowed.
    fileprivate var hasEmptyLabel: Bool {
        first == UInt8(ascii: ".")
            || zip(self, dropFirst()).contains { $0 == UInt8(ascii: ".") && $1 == $0 }
    }

    /// Whether the text is an IPv4 address: four numbers from 0 to 255 without leading zeros.
    fileprivate var isFourNumbers: Bool {
        var count = 0
        var rest = self
        while count < 4 {
            let digits = rest.prefix { $0 != UInt8(ascii: ".") }
            guard digits.isByte else { return false }
            count += 1
            rest = rest[digits.endIndex...]
            guard !rest.isEmpty else { return count == 4 }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Whether the text is a number from 0 to 255 without leading zeros.
    private var isByte: Bool {
        (1...3).contains(count) && allSatisfy(\.isDecimalDigit) && (count == 1 || first != 0x30)
            && reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
    }
}

extension UInt8 {
    fileprivate var isDecimalDigit: Bool { (0x30...0x39).contains(self) }

    var isHexadecimalDigit: Bool {
        isDecimalDigit || (0x61...0x66).contains(asciiLowercased)
    }

    fileprivate var isNameByte: Bool {
        isDecimalDigit || (0x61...0x7A).contains(asciiLowercased)
            || self == UInt8(ascii: ".") || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
