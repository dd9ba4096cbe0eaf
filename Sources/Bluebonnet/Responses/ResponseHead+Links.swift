public import Foundation

extension ResponseHead {
    /// A link to another resource (RFC 8288).
    public struct Link: Sendable, Hashable {
        /// The URL that the link points to.
        public let target: URL
        /// The relation type in lowercase: a name such as `next`, or a URI.
        public let relation: String
        /// The URL that the link starts from: that of the response, or of the `anchor` parameter.
        public let context: URL
        /// The other parameters, such as `type`, with their names in lowercase and their values as
        /// received.
        ///
        /// If a name repeats, the first value counts.
        public let parameters: [String: String]
    }

    /// The links of the response's `Link` fields, in order, with one element for each relation.
    ///
    /// A malformed link is left out, together with the rest of its field (RFC 8288 appendix B.2).
    public var links: [Link] {
        headers.values(of: "Link").flatMap { LinkParser.links(in: $0) }.flatMap { link in
            // A base URL inside the content is never used (RFC 8288 section 3.1).
            guard let target = resolved(link.target),
                let context = resolved(link.parameters["anchor"] ?? "")
            else { return [Link]() }
            var parameters = link.parameters
            let relations = parameters.removeValue(forKey: "rel") ?? ""
            parameters["anchor"] = nil
            return relations.split(whereSeparator: \.isWhitespace).map { relation in
                Link(
                    target: target, relation: relation.lowercased(), context: context,
                    parameters: parameters)
            }
        }
    }

    private func resolved(_ reference: String) -> URL? {
        // An empty reference is the resource itself (RFC 3986 section 4.4).
        reference.isEmpty ? url : URL(reference: reference, relativeTo: url)
    }

    /// Returns the target of the response's first link with a relation.
    ///
    /// Links with another context, set by an `anchor` parameter, are ignored.
    ///
    /// - Parameter relation: The relation, such as `next`.
    /// - Returns: The absolute URL, or nil if there is no such link.
    public func link(_ relation: String) -> URL? {
        links.first { $0.relation == relation.lowercased() && $0.context == url }?.target
    }
}

/// Parses the value of a `Link` field (RFC 8288 appendix B.2).
///
/// Targets and quoted strings can contain commas and semicolons, so the value is read byte by byte.
private struct LinkParser {
    typealias RawLink = (target: String, parameters: [String: String])

    static func links(in value: String) -> [RawLink] {
        var parser = LinkParser(bytes: Array(value.utf8))
        var links: [RawLink] = []
        while let link = parser.next() { links.append(link) }
        return links
    }

    private let bytes: [UInt8]
    private var place = 0

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func next() -> RawLink? {
        skip { $0.isOptionalWhitespace || $0 == UInt8(ascii: ",") }
        guard take(UInt8(ascii: "<")) else { return nil }
        let target = text { $0 != UInt8(ascii: ">") }
        guard take(UInt8(ascii: ">")) else { return nil }
        var parameters: [String: String] = [:]
        skip(\.isOptionalWhitespace)
        while take(UInt8(ascii: ";")) {
            let (name, value) = parameter()
            if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
        }
        skip { $0 != UInt8(ascii: ",") }
        return (target, parameters)
    }

    private mutating func parameter() -> (name: String, value: String) {
        skip(\.isOptionalWhitespace)
        let name = text { !$0.isOptionalWhitespace && $0 != UInt8(ascii: "=") && !$0.endsParameter }
        skip(\.isOptionalWhitespace)
        var value = ""
        if take(UInt8(ascii: "=")) {
            skip(\.isOptionalWhitespace)
            value =
                take(UInt8(ascii: "\"")) ? quotedText() : String(text { !$0.endsParameter }.trimmed)
        }
        // Anything can follow a quoted string.
        skip { !$0.endsParameter }
        return (name.lowercased(), value)
    }

    /// Reads the rest of a quoted string, whether or not it is closed.
    private mutating func quotedText() -> String {
        var text: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "\"") {
            place += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            if let escaped = peek() { text.append(escaped) }
            place += 1
        }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Bytes

    private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        place += 1
        return true
    }

    private mutating func skip(_ isPassed: (UInt8) -> Bool) { _ = text(isPassed) }

    private mutating func text(_ isTaken: (UInt8) -> Bool) -> String {
        let start = min(place, bytes.count)
        while let byte = peek(), isTaken(byte) { place += 1 }
        return String(decoding: bytes[start..<max(start, min(place, bytes.count))], as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var endsParameter: Bool { self == UInt8(ascii: ";") || self == UInt8(ascii: ",") }
}
