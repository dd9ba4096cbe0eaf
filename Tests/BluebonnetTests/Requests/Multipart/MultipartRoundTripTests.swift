import Foundation
import Testing

import Bluebonnet

@Suite(
    "Parameters of forms read back by Python", .enabled(if: Python.isInstalled, Python.comment)
)
struct MultipartRoundTripTests {
    /// Appends names in order, with contents in Base64.
    private func flatten(_ tree: RandomTree, _ name: String?, into fields: inout [[String]]) {
        switch tree {
        case .array(let elements):
            for element in elements { flatten(element, (name ?? "") + "[]", into: &fields) }
        case .object(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                flatten(value, name.map { "\($0)[\(key)]" } ?? key, into: &fields)
            }
        default: fields.append([name ?? "", content(of: tree).base64EncodedString()])
        }
    }

    private func content(of tree: RandomTree) -> Data {
        switch tree {
        case .bool(let value): Data((value ? "1" : "0").utf8)
        case .integer(let value): Data("\(value)".utf8)
        case .double(let value): Data("\(value)".utf8)
        case .text(let value): Data(value.utf8)
        case .date(let value): Data(value.ISO8601Format().utf8)
        case .data(let value): value
        case .null, .array, .object: Data()
        }
    }

    private static let script = """
        import base64, email.parser, json, sys
        bodies = []
        for line in sys.stdin:
            boundary, body = line.split()
            head = 'Content-Type: multipart/form-data; boundary="%s"\\r\\n\\r\\n' % boundary
            message = email.parser.BytesParser().parsebytes(head.encode() + base64.b64decode(body))
            assert message.is_multipart() and not message.defects, message.defects
            fields = []
            for part in message.get_payload():
                assert not part.defects and len(part.items()) == 1, part.items()
                (key, value), = part.raw_items()
                start, end = 'form-data; name="', '"'
                assert key == 'Content-Disposition' and value.startswith(start), value
                name = value[len(start):].removesuffix(end)
                fields.append([name.encode('utf-8', 'surrogateescape').decode('utf-8'),
                               base64.b64encode(part.get_payload(decode=True)).decode()])
            bodies.append(fields)
        print(json.dumps(bodies))
        """

    @Test("random parameters give the same fields in order, byte for byte")
    func readBack() throws {
        // Escaped names, and characters that end a header for Python, are tested separately.
        var shape = RandomTree.Shape()
        shape.characters.removeAll { "\"\t\n\r\u{1}\u{7F}".contains($0) }
        var source = RandomTree.Source(seed: 7578, shape)
        var lines: [String] = []
        var expected: [[[String]]] = []
        for number in 0..<300 {
            let members = source.members()
            guard !members.isEmpty else { continue }
            var fields: [[String]] = []
            flatten(.object(members), nil, into: &fields)
            guard !fields.isEmpty else { continue }
            expected.append(fields)
            let body = try multipart(seed: UInt64(number)) { form in
                try form.appendParts(parameters: Parameters(members.mapValues(\.parameter)))
            }
            let bytes = Data(try body.readAll(by: 1 << 16))
            lines.append("\(body.boundary) \(bytes.base64EncodedString())")
        }
        #expect(expected.count > 150)
        let output = try Python.run(Self.script, input: lines.joined(separator: "\n"))
        let read = try JSONDecoder().decode([[[String]]].self, from: output)
        #expect(read.count == expected.count)
        for (read, expected) in zip(read, expected) { #expect(read == expected) }
    }
}
