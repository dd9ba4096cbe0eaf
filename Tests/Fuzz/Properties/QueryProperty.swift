import Foundation

@testable import Bluebonnet

/// A query says, to a reader that is not ours, exactly what the parameters said.
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

    /// A text that is escaped alone is the name of one pair, and nothing else.
    private static func checkEscaping(_ text: String) throws {
        guard !text.isEmpty else { return }
        let pairs = try QueryReader.pairs(of: QueryEncoding.escaped(text) + "=")
        try require(
            pairs.map(\.name) == [Array(text.utf8)], "another text came back: \(pairs)")
    }

    /// Whether the library refuses the parameters, as it has to where they cannot be sent.
    private func isRefused() throws -> Bool {
        do {
            _ = try encoding.string(of: parameters)
            try require(!tree.isRefused(), "what cannot be sent was encoded")
            return false
        } catch let error as RequestSerializationError {
            try require(tree.isRefused(), "refused: \(error)")
            return true
        }
    }

    private func pairs(_ encoding: QueryEncoding) throws -> [QueryReader.Pair] {
        try pairs(encoding.string(of: parameters))
    }

    private func pairs(_ query: String) throws(FuzzViolation) -> [QueryReader.Pair] {
        // A lone null whose key is empty is the empty text, which other readers take for no pair.
        let isLone = tree.names(nil, encoding.nulls != .nameOnly) { name, _ in name } == [""]
        guard query.isEmpty, isLone else { return try QueryReader.pairs(of: query) }
        return [QueryReader.Pair(name: [], value: nil)]
    }

    /// By indices and brackets the whole tree comes back.
    private func checkTree() throws {
        guard !tree.hasBracketsOrSets else { return }
        var encoding = encoding
        encoding.arrays = .indices
        let pairs = try pairs(encoding)
        let root = try QueryReader.tree(of: pairs)
        try require(tree.agrees(with: root, encoding), "other parameters came back: \(pairs)")
    }

    /// Every style of arrays gives the names of its rule, and the same values.
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
        try require(pairs.map(\.name) == names, "other names: \(names) became \(pairs)")
    }

    /// A spelling of keys changes neither the number of pairs nor their values.
    private func checkKeys(_ style: UInt8) throws {
        var spelled = encoding
        spelled.keys = [.snakeCase, .kebabCase, .custom { $0.uppercased() }][Int(style / 4) % 3]
        let pairs = try pairs(spelled)
        let plain = try self.pairs(encoding)
        func values(_ pairs: [QueryReader.Pair]) -> [String] {
            pairs.map { $0.value.map { "=\($0)" } ?? "" }.sorted()
        }
        try require(values(pairs) == values(plain), "a spelling of keys changed the values")
        guard case .custom = spelled.keys else { return }
        let names = plain.map { Array(String(decoding: $0.name, as: UTF8.self).uppercased().utf8) }
        try require(
            Set(pairs.map(\.name)) == Set(names), "a custom spelling gave other names: \(names)")
    }

    /// What is read of parameters gives the same query when they are made of it.
    private func checkCopies() throws {
        // Of a set an array is read.
        guard !tree.hasBracketsOrSets else { return }
        let members = Dictionary(uniqueKeysWithValues: parameters.map { ($0.key, $0.value) })
        let (query, copy) = try (
            encoding.string(of: parameters), encoding.string(of: Parameters(members))
        )
        let pairs = try (QueryReader.pairs(of: query), QueryReader.pairs(of: copy))
        // A Float that is written with an exponent is the Double that is written without.
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
        // JSON has no room for some, and says so.
        _ = try? JSONEncoder().encode(parameters)
    }

    /// A type whose coding keys are given.
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

    /// Two keys of a type that are spelled alike are refused, and no others.
    private func checkSpelledKeys() throws {
        let names = parameters.names
        var encoder = JSONBodyEncoder()
        encoder.keys = .custom { $0.lowercased() }
        let data = try? encoder.data(of: Parameters(encoding: Named(names: names)))
        let isClear = Set(names.map { $0.lowercased() }).count == names.count
        try require((data != nil) == isClear, "keys that are spelled alike: \(names)")
    }

    /// In an encoding of one byte each, what it knows comes back and nothing else is written.
    private func checkLatin1() throws {
        let plain = try pairs(encoding)
        let isKnown = plain.allSatisfy { pair in
            [pair.name, pair.value ?? []].allSatisfy { bytes in
                String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { $0.value < 256 }
            }
        }
        let query = try? encoding.string(of: parameters, in: .isoLatin1)
        try require((query != nil) == isKnown, "Latin-1 knows a character or not")
        guard let query else { return }
        let pairs = try pairs(query)
        func text(_ bytes: [UInt8]) -> [UInt8] {
            Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
        }
        try require(
            pairs.map { text($0.name) } == plain.map(\.name)
                && pairs.map { $0.value.map(text) } == plain.map(\.value),
            "Latin-1 says something else"
        )
    }
}
