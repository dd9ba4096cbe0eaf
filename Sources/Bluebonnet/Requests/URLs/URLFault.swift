import BluebonnetTransport
import Foundation

/// The reason why a URL cannot be requested.
///
/// The rules are stricter than those of any URL parser, so that no two parsers can disagree about a
/// host.
package enum URLFault: Sendable, Equatable {
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

    /// Creates the first fault of an absolute URL in UTF-8, or returns nil if it has none.
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

    /// Creates the first fault of a URL with the absolute string `text`; nil if it has none.
    package init?(of url: URL, _ text: String) {
        var text = text
        let fault = text.withUTF8 { URLFault(in: $0) }
        guard let fault else { return nil }
        // Such a host is accepted if Foundation, which judges it, and libcurl, which connects,
        // agree.
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

    /// Returns the host and port, because the other parts of a URL can be secret.
    private static func shownHost(of url: String) -> String {
        let rest = url.withoutURLSecrets.drop { $0 != "/" }.dropFirst(2)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // A password can precede the last "@".
        return String(authority.split(separator: "@").last ?? "")
    }

    /// Returns a description of the fault that names the offending part.
    package func reason(for url: String) -> String {
        switch self {
        case .unescapedCharacter:
            "the URL \(url.withoutURLSecrets.quoted) has a character that must be percent-encoded"
        case .relative:
            "the URL \(url.withoutURLSecrets.quoted) is not absolute"
        case .unsupportedScheme:
            "the scheme \(String(url.prefix { $0 != ":" }).quoted) is not supported; use http or https"
        case .noHost:
            "the URL \(url.withoutURLSecrets.quoted) has no host"
        case .userInformation:
            // The URL can contain a password, so the message does not repeat it.
            "the URL contains a user name or password; send an Authorization header instead"
        case .backslashInHost:
            "the URL's host contains a backslash"
        case .ambiguousHost:
            """
            the URL's host \(Self.shownHost(of: url).quoted) is ambiguous, because URL parsers \
            read it differently; use an ASCII name or an IP address, with a zone only if link-local
            """
        case .number:
            """
            the URL's host \(Self.shownHost(of: url).quoted) ends in a number but is not an \
            IPv4 address; write an address as four decimal numbers
            """
        case .emptyLabel:
            """
            the URL's host \(Self.shownHost(of: url).quoted) has nothing before its first dot or \
            between two dots; remove the extra dot
            """
        case .port:
            "the port in the URL \(url.withoutURLSecrets.quoted) is above 65535"
        }
    }
}

private let slash = UInt8(ascii: "/")

extension String {
    /// The text in quotes, with control characters escaped, cut to 200 characters.
    package var quoted: String { prefix(200).debugDescription }
}
