import Foundation

@testable import Bluebonnet

/// The property that an independent reader finds exactly the parameters in their query.
struct QueryProperty {
    private let tree: QueryTree
    private let parameters: Parameters
    private let encoding: QueryEncoding

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        var encoding = QueryEncoding()
        encoding.booleans = input.choice([.numeric, .literal])
        encoding.nulls = input.choice([.nameOnly, .emptyValue, .null, .omitted])
        encoding.spaces = input.choice([.percent, .plus])
        let style = input.byte()
        try checkEscaping(String(decoding: input.rest, as: UTF8.self))
        let tree = QueryTree(&input)
        guard let members = tree.parameter as? [String: any Sendable] else { return }
        let parameters = Parameters(members)
        let property = QueryProperty(tree: tree, parameters: parameters, encoding: encoding)
        guard try property.isRefused() == false else { return }
        try property.checkTree()
        try property.checkArrays(style)
        try property.checkKeys(style)
        try property.checkLatin1()
        try property.checkCopies()
        try property.checkSpelledKeys()
    }

    /// Checks that an escaped text alone is the name of one pair.
    private static func checkEscaping(_ text: String) throws {
        guard !text.isEmpty else { return }
        let pairs = try QueryReader.pairs(of: QueryEncoding.escaped(text) + "=")
        try require(
            pairs.map(\.name) == [Array(text.utf8)], "wrong text: \(pairs)")
    }

    /// Returns whether the library rejects the parameters, as it must if they cannot be sent.
    private func isRefused() throws -> Bool {
        do {
            _ = try encoding.string(of: parameters)
            try require(!tree.isRefused(), "invalid parameters were encoded")
            return false
        } catch let error as RequestSerializationError {
            try require(tree.isRefused(), "rejected: \(error)")
            return true
        }
    }

    private func pairs(_ encoding: QueryEncoding) throws -> [QueryReader.Pair] {
        try pairs(encoding.string(of: parameters))
    }

    private func pairs(_ query: String) throws(FuzzViolation) -> [QueryReader.Pair] {
        // A lone null with an empty key becomes an empty query, which readers take for no pair.
        let isLone = tree.names(nil, encoding.nulls != .nameOnly) { name, _ in name } == [""]
        guard query.isEmpty, isLone else { return try QueryReader.pairs(of: query) }
        return [QueryReader.Pair(name: [], value: nil)]
    }

    /// Checks that with indices and brackets the whole tree is read back.
    private func checkTree() throws {
        guard !tree.hasBracketsOrSets else { return }
        var encoding = encoding
        encoding.arrays = .indices
        let pairs = try pairs(encoding)
        let root = try QueryReader.tree(of: pairs)
        try require(tree.agrees(with: root, encoding), "wrong parameters: \(pairs)")
    }

    /// Checks that every array style has the names of its rule, and the same values.
    private func checkArrays(_ style: UInt8) throws {
        let styles: [(QueryEncoding.ArrayStyle, (String, Int) -> String)] = [
            (.brackets, { name, _ in name + "[]" }),
            (.none, { name, _ in name }),
            (.indices, { name, index in name + "[\(index)]" }),
            (.custom { "\($0).\($1)" }, { name, index in "\(name).\(index)" }),
        ]
        let (arrays, rule) = styles[Int(style) % styles.count]
        var encoding = encoding
        encoding.arrays = arrays
        let pairs = try pairs(encoding)
        let names = tree.names(nil, encoding.nulls == .omitted, rule).map { Array($0.utf8) }
        try require(pairs.map(\.name) == names, "wrong names: \(names) became \(pairs)")
    }

    /// Checks that a key encoding changes neither the number of pairs nor their values.
    private func checkKeys(_ style: UInt8) throws {
        var spelled = encoding
        spelled.keys = [.snakeCase, .kebabCase, .custom { $0.uppercased() }][Int(style / 4) % 3]
        let pairs = try pairs(spelled)
        let plain = try self.pairs(encoding)
        func values(_ pairs: [QueryReader.Pair]) -> [String] {
            pairs.map { $0.value.map { "=\($0)" } ?? "" }.sorted()
        }
        try require(values(pairs) == values(plain), "a key encoding changed the values")
        guard case .custom = spelled.keys else { return }
        let names = plain.map { Array(String(decoding: $0.name, as: UTF8.self).uppercased().utf8) }
        try require(
            Set(pairs.map(\.name)) == Set(names), "wrong names for a custom key encoding: \(names)")
    }

    /// Checks that parameters give the same query when they are created from their own values.
    private func checkCopies() throws {
        // The value of a set is read as an array.
        guard !tree.hasBracketsOrSets else { return }
        let members = Dictionary(uniqueKeysWithValues: parameters.map { ($0.key, $0.value) })
        let (query, copy) = try (
            encoding.string(of: parameters), encoding.string(of: Parameters(members))
        )
        let pairs = try (QueryReader.pairs(of: query), QueryReader.pairs(of: copy))
        // A Float that is written with an exponent can be copied as a Double without one.
        func isSame(_ one: [UInt8]?, _ other: [UInt8]?) -> Bool {
            func number(_ text: [UInt8]?) -> Double? {
                text.flatMap { Double(String(decoding: $0, as: UTF8.self)) }
            }
            return one == other || number(one).map { $0 == number(other) } == true
        }
        try require(
            pairs.0.count == pairs.1.count
                && zip(pairs.0, pairs.1).allSatisfy {
                    $0.name == $1.name && isSame($0.value, $1.value)
                }, "\(query) was copied as \(copy)")
        // JSON cannot represent some values, and encoding then throws.
        _ = try? JSONEncoder().encode(parameters)
    }

    /// A type with the given coding keys.
    private struct Named: Encodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let names: [String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for name in names { try container.encode(1, forKey: Key(stringValue: name)) }
        }
    }

    /// Checks that a type is rejected exactly if two of its keys have the same encoded form.
    private func checkSpelledKeys() throws {
        let names = parameters.names
        var encoder = JSONBodyEncoder()
        encoder.keys = .custom { $0.lowercased() }
        let data = try? encoder.data(of: Parameters(encoding: Named(names: names)))
        let isClear = Set(names.map { $0.lowercased() }).count == names.count
        try require((data != nil) == isClear, "keys with the same encoded form: \(names)")
    }

    /// Checks that Latin-1 keeps its characters, and that parameters with other characters are
    /// rejected.
    private func checkLatin1() throws {
        let plain = try pairs(encoding)
        let isKnown = plain.allSatisfy { pair in
            [pair.name, pair.value ?? []].allSatisfy { bytes in
                String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { $0.value < 256 }
            }
        }
        let query = try? encoding.string(of: parameters, in: .isoLatin1)
        try require((query != nil) == isKnown, "Latin-1 was rejected or accepted by mistake")
        guard let query else { return }
        let pairs = try pairs(query)
        func text(_ bytes: [UInt8]) -> [UInt8] {
            Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
        }
        try require(
            pairs.map { text($0.name) } == plain.map(\.name)
                && pairs.map { $0.value.map(text) } == plain.map(\.value),
            "wrong Latin-1"
        )
    }
}
