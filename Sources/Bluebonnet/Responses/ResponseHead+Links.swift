public import Foundation

extension ResponseHead {
    /// A link to another resource (RFC 8288).
    public struct Link: Sendable, Hashable {
        /// Where it leads.
        public let target: URL
        /// What the target is to the context, in lower case: a name such as `next`, or a URI.
        public let relation: String
        /// What it links from: the URL of the response, or that of an `anchor`.
        public let context: URL
        /// The other parameters, such as `type`, as they were sent, by names in lower case; of several with one name the
        /// first.
        public let parameters: [String: String]
    }

    /// The links of the response's `Link` fields, in order; one for each relation.
    ///
    /// What is malformed is left out, with what follows it in its field (RFC 8288 appendix B.2).
    public var links: [Link] {
        headers.values(of: "Link").flatMap { LinkParser.links(in: $0) }.flatMap { link in
            // A base inside of the content never counts (section 3.1).
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
        // An empty one is the resource itself (RFC 3986 section 4.4).
        reference.isEmpty ? url : URL(reference: reference, relativeTo: url)
    }

    /// Where the first link of a relation leads that is about the response itself; nil without one.
    ///
    /// - Parameter relation: The relation, such as `next`.
    /// - Returns: The URL, absolute.
    public func link(_ relation: String) -> URL? {
        links.first { $0.relation == relation.lowercased() && $0.context == url }?.target
    }
}

/// Reads the value of a `Link` field (RFC 8288 appendix B.2).
///
/// Commas and semicolons stand in targets and quoted strings, too, so it is read byte by byte.
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
        skip { $0.isBlank || $0 == UInt8(ascii: ",") }
        guard take(UInt8(ascii: "<")) else { return nil }
        let target = text { $0 != UInt8(ascii: ">") }
        guard take(UInt8(ascii: ">")) else { return nil }
        var parameters: [String: String] = [:]
        skip(\.isBlank)
        while take(UInt8(ascii: ";")) {
            let (name, value) = parameter()
            if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
        }
        skip { $0 != UInt8(ascii: ",") }
        return (target, parameters)
    }

    private mutating func parameter() -> (name: String, value: String) {
        skip(\.isBlank)
        let name = text { !$0.isBlank && $0 != UInt8(ascii: "=") && !$0.endsParameter }
        skip(\.isBlank)
        var value = ""
        if take(UInt8(ascii: "=")) {
            skip(\.isBlank)
            value = take(UInt8(ascii: "\"")) ? quotedText() : text { !$0.endsParameter }.trimmed
        }
        // Behind a quoted string there may be anything.
        skip { !$0.endsParameter }
        return (name.lowercased(), value)
    }

    /// The rest of a quoted string, also of one that has no end.
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
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    fileprivate var endsParameter: Bool { self == UInt8(ascii: ";") || self == UInt8(ascii: ",") }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
