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
        // Parsed by scalars: a brace followed by a combining mark is a different Character.
        var rest = text.unicodeScalars[...]
        var path = String.UnicodeScalarView()
        var unused = Set(parameters.keys)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            path += rest[..<brace]
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
                throw failure("has an unmatched brace; write it as %7B or %7D")
            }
            let name = String(rest[rest.index(after: brace)..<end])
            guard let value = parameters[name] else {
                throw failure("has no value for \(name.quoted); add it to pathParameters")
            }
            unused.remove(name)
            path += try Self.escaped(value.description, name).unicodeScalars
            rest = rest[rest.index(after: end)...]
        }
        if let name = unused.min() {
            throw failure(
                "has no place for \(name.quoted); add it, or remove the value from pathParameters")
        }
        return String(path + rest)
    }

    private func failure(_ reason: String) -> RequestSerializationError {
        let path = String(text.unicodeScalars.prefix { $0 != "?" })
        return RequestSerializationError(reason: "the path \(path.quoted) \(reason)")
    }

    /// Returns a value with all characters escaped except unreserved ones (RFC 6570 section 3.2.2).
    private static func escaped(
        _ value: String, _ name: String
    ) throws(RequestSerializationError) -> String {
        // Escaping does not help with dots: `%2E` is resolved like a dot.
        guard !["", ".", ".."].contains(value),
            let text = value.addingPercentEncoding(withAllowedCharacters: .unreserved)
        else {
            throw RequestSerializationError(
                reason:
                    "the path parameter \(name.quoted) is \(value.quoted), which cannot be a path segment"
            )
        }
        return text
    }
}

extension CharacterSet {
    /// The unreserved characters (RFC 3986 section 2.3).
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
