import Glibc

/// A URL's host as libcurl connects to it, so that `http://0x7f.1/` is the address that it means.
enum URLHost: Sendable, Hashable {
    /// In lower case, without a dot at its end.
    case name(String)
    /// The 4 or 16 bytes of an IPv4 or IPv6 address.
    case address([UInt8])

    /// Nil for what libcurl does not take for a URL.
    init?(of url: String) {
        guard let authority = URLAuthority(of: url) else { return nil }
        self = authority.host
    }

    /// The host of a text that libcurl has put in its own form.
    init(libcurlText text: String) {
        // It looks up, and connects to, what is before the dot.
        let text = text[...].trimmingLastDot
        self = Self.address(text).map { .address($0) } ?? .name(String(text))
    }

    static func address(_ text: Substring) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let text = String(text)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }
}

extension URLHost: CustomStringConvertible {
    /// The name, or the address without brackets.
    var description: String {
        switch self {
        case .name(let name): name
        case .address(let bytes): ipAddress(bytes).description
        }
    }

    /// The address as a number; nil for a name.
    var ipAddress: IPAddress? {
        if case .address(let bytes) = self { ipAddress(bytes) } else { nil }
    }

    private func ipAddress(_ bytes: [UInt8]) -> IPAddress {
        let value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
        return bytes.count == 4 ? IPAddress(UInt32(truncatingIfNeeded: value)) : IPAddress(value)
    }
}

extension Substring {
    var withoutBrackets: Substring {
        hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self
    }

    var trimmingLastDot: Substring { last == "." ? dropLast() : self }
}
