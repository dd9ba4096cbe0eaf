import Glibc

/// The host of a URL as libcurl connects to it, so that the host of `http://0x7f.1/` is an address.
package enum URLHost: Sendable, Hashable {
    /// A name in lowercase, without a dot at its end.
    case name(String)
    /// The 4 or 16 bytes of an IPv4 or IPv6 address.
    case address([UInt8])

    /// Creates the host of a URL, or returns nil if libcurl does not accept the URL.
    package init?(of url: String) {
        guard let authority = URLAuthority(of: url) else { return nil }
        self = authority.host
    }

    /// Creates a host from a text in libcurl's form.
    init(libcurlText text: String) {
        // libcurl connects to the name before the final dot, or dots if it accepts several.
        let text = text[...].trimmingLastDots
        self = Self.address(text).map { .address($0) } ?? .name(String(text))
    }

    /// Creates a host from a name or an address, or returns nil for any other text.
    ///
    /// Such a text is, for example, a host with a port or a user.
    package init?(name: String) {
        let isAddress = Self.address(name[...].withoutBrackets) != nil
        let isName = name.utf8.allSatisfy { byte in
            byte.isASCIILetterOrDigit || Self.marks.contains(byte)
        }
        guard isAddress || isName, !name.contains("..") else { return nil }
        let bracketed = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        self.init(of: "https://\(bracketed)/")
        // The text consists of dots, or begins with one.
        if case .name(let name) = self, name.hasPrefix(".") || name.isEmpty {
            return nil
        }
    }

    /// The characters of names other than letters and digits.
    private static let marks = Array("-._".utf8)

    static func address(_ text: Substring) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let text = String(text)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }
}

extension URLHost: CustomStringConvertible {
    /// The name, or the address without brackets.
    package var description: String {
        switch self {
        case .name(let name): name
        case .address(let bytes): ipAddress(bytes).description
        }
    }

    /// The address as a number, or nil for a name.
    var ipAddress: IPAddress? {
        if case .address(let bytes) = self { ipAddress(bytes) } else { nil }
    }

    private func ipAddress(_ bytes: [UInt8]) -> IPAddress {
        let value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
        return bytes.count == 4 ? IPAddress(UInt32(truncatingIfNeeded: value)) : IPAddress(value)
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension Substring {
    var withoutBrackets: Substring {
        hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self
    }

    var trimmingLastDots: Substring {
        var rest = self
        while rest.last == "." { rest = rest.dropLast() }
        return rest
    }
}
