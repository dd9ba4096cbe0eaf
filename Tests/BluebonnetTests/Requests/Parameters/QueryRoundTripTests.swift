import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Reading queries back")
struct QueryRoundTripTests {
    @Test(
        "a bracket-aware parser reads the same random parameters back from query and form",
        arguments: BracketParser.Arrays.allCases, 1...20 as ClosedRange<UInt64>
    )
    func readBack(arrays: BracketParser.Arrays, seed: UInt64) throws {
        var shape = RandomTree.Shape()
        shape.hasFlatArrays = arrays != .indices
        var source = RandomTree.Source(seed: seed, shape)
        let parser = BracketParser(arrays: arrays)
        for spaces in [QueryEncoding.SpaceStyle.percent, .plus] {
            var serializer = HTTPRequestSerializer()
            serializer.queryEncoding.spaces = spaces
            serializer.queryEncoding.arrays =
                switch arrays {
                case .brackets: .brackets
                case .repeated: .none
                case .indices: .indices
                }
            for _ in 0..<25 {
                let members = source.members()
                let parameters = Parameters(members.mapValues(\.parameter))
                let expected = node(.object(members)) ?? .object([:])
                let form = try #require(try body(parameters, by: serializer))
                #expect(try parser.object(form) == expected, "\(form)")
                let address = try #require(try url(parameters, "http://h/p#f", by: serializer))
                #expect(address == (form.isEmpty ? "http://h/p#f" : "http://h/p?\(form)#f"))
                let encoded = try serializer.serialize(request("POST"), parameters: members)
                #expect(encoded.httpBody == Data(form.utf8))
            }
        }
    }

    /// Returns what the parser reads for a tree, or nil for no output.
    private func node(_ tree: RandomTree) -> BracketParser.Node? {
        switch tree {
        case .array(let elements):
            // Elements without output have no index.
            let nodes = elements.compactMap(node)
            return nodes.isEmpty
                ? nil : .list(Dictionary(uniqueKeysWithValues: zip(nodes.indices, nodes)))
        case .object(let members):
            let nodes = members.compactMapValues(node)
            return nodes.isEmpty ? nil : .object(nodes)
        case .null: return .null
        default: return .text(Self.text(of: tree))
        }
    }

    /// Returns the text of a scalar, independently of the library.
    private static func text(of tree: RandomTree) -> String {
        switch tree {
        case .bool(let value): value ? "1" : "0"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let value): value
        case .date(let value): value.ISO8601Format()
        case .data(let value): value.base64EncodedString()
        case .null, .array, .object: ""
        }
    }

    @Test(
        "Python reads the pairs of random parameters back in order",
        .enabled(if: Python.isInstalled, Python.comment))
    func readBackByPython() throws {
        var source = RandomTree.Source(seed: 4)
        var queries: [String] = []
        var expected: [[[String]]] = []
        for number in 0..<400 {
            var serializer = HTTPRequestSerializer()
            if number % 2 == 1 { serializer.queryEncoding.spaces = .plus }
            let members = source.members()
            queries.append(
                try #require(
                    try body(
                        Parameters(members.mapValues(\.parameter)), by: serializer)))
            var pairs: [[String]] = []
            flatten(.object(members), nil, into: &pairs)
            expected.append(pairs)
        }
        let script = """
            import sys, json, urllib.parse
            print(json.dumps([urllib.parse.parse_qsl(line, keep_blank_values=True, errors="strict")
                              for line in sys.stdin.read().split("\\n")]))
            """
        let output = try Python.run(script, input: queries.joined(separator: "\n"))
        let pairs = try JSONDecoder().decode([[[String]]].self, from: output)
        #expect(pairs.count == expected.count)
        for (number, (pairs, expected)) in zip(pairs, expected).enumerated() {
            #expect(pairs == expected, "\(queries[number])")
        }
    }

    @Test(
        "Python reads text in another string encoding back",
        .enabled(if: Python.isInstalled, Python.comment))
    func otherEncoding() throws {
        var serializer = HTTPRequestSerializer()
        serializer.stringEncoding = .shiftJIS
        let query = try #require(try body(["あ b": "日+本&\\~"], by: serializer))
        let script = """
            import sys, json, urllib.parse
            print(json.dumps(urllib.parse.parse_qsl(sys.stdin.read(), encoding="cp932")))
            """
        let output = try Python.run(script, input: query)
        #expect(
            try JSONDecoder().decode([[String]].self, from: output) == [["あ b", "日+本&\\~"]])
    }

    private func flatten(_ tree: RandomTree, _ name: String?, into pairs: inout [[String]]) {
        switch tree {
        case .array(let elements):
            for element in elements { flatten(element, (name ?? "") + "[]", into: &pairs) }
        case .object(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                flatten(value, name.map { "\($0)[\(key)]" } ?? key, into: &pairs)
            }
        default: pairs.append([name ?? "", Self.text(of: tree)])
        }
    }
}
