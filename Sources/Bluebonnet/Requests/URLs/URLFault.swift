import BluebonnetTransport
import Foundation

/// What makes a URL one that cannot be requested.
///
/// The rules are stricter than those of any URL parser, so that no two can disagree about a host.
enum URLFault: Sendable, Equatable {
    case unescapedCharacter
    case relative
    case unsupportedScheme
    case noHost
    case userInformation
    case backslashInHost
    case ambiguousHost
    case number
    case emptyLabel
    case port

    /// The first fault of an absolute URL in UTF-8; nil when it has none.
    private init?(in url: UnsafeBufferPointer<UInt8>) {
        for byte in url where byte <= 0x20 || byte >= 0x7F {
            self = .unescapedCharacter
            return
        }
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else {
            self = .relative
            return
        }
        guard Self.isSupported(url[..<colon]) else {
            self = .unsupportedScheme
            return
        }
        guard url.count > colon + 2, url[colon + 1] == slash, url[colon + 2] == slash else {
            self = .noHost
            return
        }
        self.init(inAuthority: url[(colon + 3)...])
    }

    private init?(inAuthority rest: Slice<UnsafeBufferPointer<UInt8>>) {
        var end = rest.startIndex
        scan: while end < rest.endIndex {
            switch rest[end] {
            case slash, UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            case UInt8(ascii: "@"):
                self = .userInformation
                return
            case UInt8(ascii: "\\"):
                self = .backslashInHost
                return
            default: end += 1
            }
        }
        guard end > rest.startIndex, rest[rest.startIndex] != UInt8(ascii: ":") else {
            self = .noHost
            return
        }
        self.init(of: HostSyntax(of: rest[..<end]))
    }

    private init?(of spelling: HostSyntax) {
        switch spelling {
        case .plain: return nil
        case .unusual: self = .ambiguousHost
        case .number: self = .number
        case .emptyLabel: self = .emptyLabel
        case .badPort: self = .port
        }
    }

    /// The first fault of a URL whose absolute string is `text`; nil when it has none.
    init?(of url: URL, _ text: String) {
        var text = text
        let fault = text.withUTF8 { URLFault(in: $0) }
        guard let fault else { return nil }
        // Such a host is good where those who decide over it and the one who connects to it agree.
        if fault == .ambiguousHost, HostSyntax.isReadAlike(url, text) { return nil }
        self = fault
    }

    private static func isSupported(_ scheme: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let names: [StaticString] = ["http", "https"]
        return names.contains { name in
            name.utf8CodeUnitCount == scheme.count
                && zip(scheme, UnsafeBufferPointer(start: name.utf8Start, count: scheme.count))
                    .allSatisfy { $0.asciiLowercased == $1 }
        }
    }

    /// Host and port: what else is in a URL may be secret.
    private static func shownHost(of url: String) -> String {
        let rest = url.withoutURLSecrets.drop { $0 != "/" }.dropFirst(2)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // Before it may stand a password.
        return String(authority.split(separator: "@").last ?? "")
    }

    /// The fault in words that name the offending part.
    func reason(for url: String) -> String {
        switch self {
        case .unescapedCharacter:
            "the URL \(url.withoutURLSecrets.quoted) holds a character that must be percent-encoded"
        case .relative:
            "the URL \(url.withoutURLSecrets.quoted) is not absolute"
        case .unsupportedScheme:
            "the scheme \(String(url.prefix { $0 != ":" }).quoted) is not supported; http and https are"
        case .noHost:
            "the URL \(url.withoutURLSecrets.quoted) has no host"
        case .userInformation:
            // It may hold a password, so it is not repeated.
            "the URL has a user name or password in it; send an Authorization header instead"
        case .backslashInHost:
            "the URL's host holds a backslash"
        case .ambiguousHost:
            """
            the URL's host \(Self.shownHost(of: url).quoted) is not read alike by everyone; write a \
            name in ASCII, or an address, with a zone only behind a link-local one
            """
        case .number:
            """
            the URL's host \(Self.shownHost(of: url).quoted) ends in a number, and is no IPv4 \
            address of four decimal numbers
            """
        case .emptyLabel:
            """
            the URL's host \(Self.shownHost(of: url).quoted) has nothing between two dots, or before \
            the first; leave the dot out
            """
        case .port:
            "the port in the URL \(url.withoutURLSecrets.quoted) is above 65535"
        }
    }
}

private let slash = UInt8(ascii: "/")

extension String {
    /// In quotes, with control characters made visible, and cut to a readable length.
    var quoted: String { prefix(200).debugDescription }
}
