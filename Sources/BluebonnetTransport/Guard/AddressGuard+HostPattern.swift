extension AddressGuard {
    /// One host or the hosts under a domain.
    public struct HostPattern: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Hashable {
            case host(URLHost)
            case subdomains(of: String)
        }

        private let kind: Kind

        /// Reads a pattern: a name, an address, or `*.` and a domain.
        ///
        /// A name is compared without regard to case and to a dot at its end. `*.example.com` is
        /// every name below `example.com`, however deep, and not `example.com` itself. Names are in
        /// ASCII, others in their form of RFC 5890, `xn--…`; an IPv6 address may have brackets.
        public init(_ text: String) throws(InvalidText) {
            if text.hasPrefix("*.") {
                kind = .subdomains(of: try Self.name(text.dropFirst(2), of: text))
            } else if let address = URLHost.address(text[...].withoutBrackets) {
                kind = .host(.address(address))
            } else {
                kind = .host(.name(try Self.name(text[...], of: text)))
            }
        }

        private static func name(
            _ name: Substring, of text: String
        ) throws(InvalidText) -> String {
            let name = name.lowercased()[...].trimmingLastDot
            let isName = name.split(separator: ".", omittingEmptySubsequences: false)
                .allSatisfy { label in
                    !label.isEmpty
                        && label.utf8.allSatisfy { byte in
                            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
                                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                        }
                }
            guard isName else { throw InvalidText(text: text) }
            return String(name)
        }

        func matches(_ host: URLHost) -> Bool {
            switch (kind, host) {
            case (.host(let own), _): own == host
            case (.subdomains(let domain), .name(let name)): name.hasSuffix(".\(domain)")
            case (.subdomains, .address): false
            }
        }

        /// The pattern as it is read, in lower case.
        public var description: String {
            switch kind {
            case .host(let host): host.description
            case .subdomains(let domain): "*.\(domain)"
            }
        }

        /// The text that is no pattern.
        public struct InvalidText: Error, Sendable, Hashable, CustomStringConvertible {
            /// The text.
            public let text: String

            /// What the text was and what it should be.
            public var description: String {
                """
                \(text.debugDescription) is no host pattern; write a name in ASCII, an address, or \
                *. and a domain
                """
            }
        }
    }
}
