import BluebonnetTransport
import Foundation

/// How a URL's authority spells its host, judged by its characters.
enum HostSyntax: Equatable {
    /// A name of letters, digits, dots, hyphens and underscores, or an IPv4 or IPv6 address in its
    /// usual form, a link-local one with or without a zone: no two parsers disagree about it.
    case plain
    /// Anything else.
    case unusual
    /// A host that ends in a number and is no IPv4 address in its usual form.
    ///
    /// libcurl and the system read many of them as one, such as `0x7f.1` and `2130706433`, where
    /// Foundation sees a name.
    case number
    /// A name with nothing between two of its dots, or before the first, which some take for the
    /// name without them.
    case emptyLabel
    /// A host with a port above 65535.
    case badPort

    /// Judges what stands between `//` and the path, user information excluded.
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

    /// Nothing, or a colon with or without digits.
    private static func isPort(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = text.first else { return true }
        return first == UInt8(ascii: ":") && text.count <= 6
            && text.dropFirst().allSatisfy(\.isDecimalDigit)
    }

    /// A colon and a number that is too large.
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
        // Only such an address has a zone, and another with one would be read as itself.
        let address = String(decoding: text[..<mark], as: UTF8.self)
        return address.isLinkLocalIPv6Address && isZone(text[mark...]) ? .plain : .unusual
    }

    /// An escaped `%` and the name or number of a network interface (RFC 6874 section 2).
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

    /// Whether Foundation and libcurl find the same host and port in a URL.
    static func isReadAlike(_ url: URL, _ text: String) -> Bool {
        guard let authority = URLAuthority(of: text), let host = url.host(percentEncoded: true)
        else { return false }
        return host.lowercased() == authority.hostText
            && url.port ?? (authority.scheme == "https" ? 443 : 80) == authority.port
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Decimal digits, or `0x` with any number of hexadecimal ones.
    fileprivate var isNumber: Bool {
        guard first?.isDecimalDigit == true else { return false }
        return allSatisfy(\.isDecimalDigit)
            || first == 0x30 && dropFirst().first?.asciiLowercased == UInt8(ascii: "x")
                && dropFirst(2).allSatisfy(\.isHexadecimalDigit)
    }

    /// Whether a dot stands at its beginning or beside another; at its end one may.
    fileprivate var hasEmptyLabel: Bool {
        first == UInt8(ascii: ".")
            || zip(self, dropFirst()).contains { $0 == UInt8(ascii: ".") && $1 == $0 }
    }

    /// Whether it is an IPv4 address: four numbers of 0 to 255 without a zero before them.
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

    /// Whether it is a number of 0 to 255 without a zero before it.
    private var isByte: Bool {
        (1...3).contains(count) && allSatisfy(\.isDecimalDigit) && (count == 1 || first != 0x30)
            && reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
    }
}

extension UInt8 {
    fileprivate var isDecimalDigit: Bool { (0x30...0x39).contains(self) }

    fileprivate var isHexadecimalDigit: Bool {
        isDecimalDigit || (0x61...0x66).contains(asciiLowercased)
    }

    fileprivate var isNameByte: Bool {
        isDecimalDigit || (0x61...0x7A).contains(asciiLowercased)
            || self == UInt8(ascii: ".") || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
