import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Bodies read back by Python", .enabled(if: Python.isInstalled, Python.comment))
struct BodyRoundTripTests {
    /// A value that Python read.
    ///
    /// A scalar is a string that begins with its type.
    indirect enum Node: Decodable, Equatable {
        case text(String)
        case list([Node])
        case object([String: Node])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Node].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: Node].self))
            }
        }
    }

    /// Returns Python code that prints what it reads from a line, with the type of each scalar.
    static func script(_ reader: String) -> String {
        """
        import sys, json, base64, datetime, plistlib, struct
        def show(x):
            if isinstance(x, dict): return {k: show(v) for k, v in x.items()}
            if isinstance(x, list): return [show(v) for v in x]
            if x is None: return "null"
            if isinstance(x, bool): return "bool:" + str(x)
            if isinstance(x, int): return "int:" + str(x)
            if isinstance(x, float): return "real:" + struct.pack(">d", x).hex()
            if isinstance(x, bytes): return "data:" + base64.b64encode(x).decode()
            if isinstance(x, datetime.datetime): return "date:" + x.isoformat()
            return "text:" + x
        print(json.dumps([show(\(reader)(base64.b64decode(line)))
                          for line in sys.stdin.read().split("\\n")]))
        """
    }

    /// Returns the node that Python must read for a tree.
    func node(_ tree: RandomTree, typed: Bool) -> Node {
        switch tree {
        case .null: .text("null")
        case .bool(let value): .text("bool:" + (value ? "True" : "False"))
        case .integer(let value): .text("int:\(value)")
        case .double(let value):
            .text(
                "real:" + String(repeating: "0", count: value.bitPattern.leadingZeroBitCount / 4)
                    + String(value.bitPattern, radix: 16))
        case .text(let value): .text("text:" + value)
        case .date(let value) where typed: .text("date:\(value.ISO8601Format().dropLast())")
        case .date(let value): .text("text:" + value.ISO8601Format())
        case .data(let value): .text((typed ? "data:" : "text:") + value.base64EncodedString())
        case .array(let elements): .list(elements.map { node($0, typed: typed) })
        case .object(let members): .object(members.mapValues { node($0, typed: typed) })
        }
    }

    /// Encodes random trees, has Python read them, and compares the results.
    func readBack(
        _ shape: RandomTree.Shape,
        by serializer: any RequestSerializer,
        _ reader: String,
        typed: Bool
    ) throws {
        var source = RandomTree.Source(seed: 7, shape)
        let trees = (0..<300).map { _ in source.members() }
        let bodies = try trees.map { members in
            let plain = try serializer.serialize(
                request("POST"), parameters: Parameters(members.mapValues(\.parameter)))
            let encoded = try serializer.serialize(request("POST"), parameters: members)
            #expect(plain.httpBody == encoded.httpBody)
            return try #require(plain.httpBody).base64EncodedString()
        }
        let output = try Python.run(Self.script(reader), input: bodies.joined(separator: "\n"))
        let nodes = try JSONDecoder().decode([Node].self, from: output)
        #expect(nodes.count == trees.count)
        for (tree, read) in zip(trees, nodes) {
            #expect(read == node(.object(tree), typed: typed))
        }
    }

    @Test("random parameters survive a round trip through Python's JSON, with every option")
    func json() throws {
        for options in [
            [], .prettyPrinted, .escapedSlashes, .escapedNonASCII,
            [.prettyPrinted, .escapedSlashes, .escapedNonASCII],
        ] as [JSONRequestSerializer.WritingOptions] {
            let serializer = JSONRequestSerializer(writingOptions: options)
            try readBack(RandomTree.Shape(), by: serializer, "json.loads", typed: false)
        }
    }

    @Test("random parameters survive a round trip through Python's property lists")
    func propertyList() throws {
        var shape = RandomTree.Shape()
        shape.allowsNull = false
        let binary = PropertyListRequestSerializer(format: .binary)
        try readBack(shape, by: binary, "plistlib.loads", typed: true)
        shape.characters.removeAll { $0 == "\u{1}" }
        let xml = PropertyListRequestSerializer()
        try readBack(shape, by: xml, "plistlib.loads", typed: true)
    }
}
