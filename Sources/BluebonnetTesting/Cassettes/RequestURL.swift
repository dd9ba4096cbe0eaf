/// The parts of a request's URL that are compared.
///
/// It accepts the URLs of cassettes, in which placeholders and edits can be invalid for a URL.
struct RequestURL {
    /// Scheme, host and port, in lower case except for placeholders, without the scheme's default
    /// port.
    let origin: String
    let path: String
    /// The items of the query, in the order of their names.
    let items: [Item]

    struct Item: Hashable {
        let name: String
        /// The value; nil without an equals sign.
        let value: String?
    }

    /// Parses a URL; returns nil unless it is an absolute `http` or `https` URL.
    init?(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<mark.lowerBound].lowercased()
        let rest = url[mark.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let login = authority.lastIndex(of: "@").map(authority.index(after:))
        let host = authority[(login ?? authority.startIndex)...]
        guard scheme == "http" || scheme == "https", !host.isEmpty else { return nil }
        let port = scheme == "http" ? ":80" : ":443"
        let plain = host.hasSuffix(port) ? host.dropLast(port.count) : host
        origin = "\(scheme)://\(SecretPlaceholders.lowercased(plain))"
        let path = rest[authority.endIndex...].prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        let items = rest[path.endIndex...].dropFirst().split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil)
        }
        // Values with the same name keep their order.
        self.items = items.enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
    }
}
