import Foundation

/// A type that is read directly from the tape, with the same result as its `init(from:)`.
protocol TapeDecodable {
    /// Decodes the value at an index; `depth` is the number of arrays and objects that contain it.
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self
}

// MARK: Types of JSON

extension Bool: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self { try document.bool(at: index) }
}

extension String: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self { try document.string(at: index) }
}

extension Optional: TapeDecodable where Wrapped: Decodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        document.isNull(at: index)
            ? nil : try document.decode(Wrapped.self, at: index, depth: depth)
    }
}

extension Array: TapeDecodable where Element: Decodable {
    @specialized(where Element == String)
    @specialized(where Element == Int)
    @specialized(where Element == Double)
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        let tape = document.tape
        guard tape.kind(at: index) == .array else {
            throw document.containerMismatch([Any].self, at: index)
        }
        var elements: Self = []
        elements.reserveCapacity(tape.capacity(for: Element.self, of: index))
        let end = tape.end(of: index)
        var child = index + 1
        while child < end {
            elements.append(try document.decode(Element.self, at: child, depth: depth + 1))
            child = tape.next(after: child)
        }
        return elements
    }
}

// The keys of a dictionary are data, so they are not converted.
extension Dictionary: TapeDecodable where Key == String, Value: Decodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        let tape = document.tape
        guard tape.kind(at: index) == .object else {
            throw document.containerMismatch([String: Any].self, at: index)
        }
        return try document.asDictionary(index) {
            try members(from: document, at: index, depth: depth)
        }
    }

    private static func members(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        let tape = document.tape
        var members = Self(minimumCapacity: tape.capacity(for: Value.self, of: index))
        let end = tape.end(of: index)
        var key = index + 1
        while key < end {
            let name = tape.string(at: key)
            // The first of repeated keys counts. If `JSONDecoder` converts keys, it decodes the
            // others too.
            let isFirst = members[name] == nil
            if isFirst || document.options.convertsFromSnakeCase {
                let value = try document.decode(Value.self, at: key + 1, depth: depth + 1)
                if isFirst { members[name] = value }
            }
            key = tape.next(after: key + 1)
        }
        return members
    }
}
