import Foundation

/// A path with parameter names in braces, such as `/users/{id}`.
struct PathTemplate {
    let text: String

    /// Returns the path with the values of its parameters, each of which stays within its segment.
    ///
    /// - Throws: An error for a parameter without a value, a value without a parameter, a value
    ///   that cannot be a segment, and an unmatched brace.
    func filled(
        with parameters: [String: any CustomStringConvertible & Sendable]
    ) throws(RequestSerializationError) -> String {
        // Parsed by bytes: a brace followed by a combining mark is a different Character.
        var rest = text.utf8[...]
        var path = ""
        var used: [String] = []
        while let brace = rest.firstIndex(where: { $0 == Self.open || $0 == Self.close }) {
            path += Substring(rest[..<brace])
            guard rest[brace] == Self.open, let end = rest[brace...].firstIndex(of: Self.close)
            else { throw failure("has an unmatched brace; write it as %7B or %7D") }
            let name = String(Substring(rest[brace..<end].dropFirst()))
            guard let value = parameters[name] else {
                throw failure("has no value for \(name.quoted); add it to pathParameters")
            }
            used.append(name)
            path += try Self.escaped(value.description, name)
            rest = rest[end...].dropFirst()
        }
        if let name = parameters.keys.filter({ !used.contains($0) }).min() {
            throw failure(
                "has no place for \(name.quoted); add it, or remove the value from pathParameters")
        }
        return path + Substring(rest)
    }

    private static let open = UInt8(ascii: "{")
    private static let close = UInt8(ascii: "}")

    private func failure(_ reason: String) -> RequestSerializationError {
        let path = String(text.unicodeScalars.prefix { $0 != "?" })
        return RequestSerializationError(reason: "the path \(path.quoted) \(reason)")
    }

    /// Returns a value with all characters escaped except unreserved ones (RFC 6570 section 3.2.2).
    private static func escaped(
        _ value: String, _ name: String
    ) throws(RequestSerializationError) -> String {
        // Escaping does not help with dots: `%2E` is resolved like a dot.
        guard !value.isEmpty, value != ".", value != ".." else {
            throw RequestSerializationError(
                reason:
                    "the path parameter \(name.quoted) is \(value.quoted), which cannot be a path segment"
            )
        }
        return unreserved.escapedUTF8(value)
    }

    /// Keeps the unreserved characters (RFC 3986 section 2.3).
    private static let unreserved = PercentEncoding(
        unescaped: UnescapedCharacters(
            CharacterSet(
                charactersIn:
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")))
}
