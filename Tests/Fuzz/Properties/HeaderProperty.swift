import Foundation

@testable import Bluebonnet
@testable import BluebonnetTransport

/// The property that RFC 9112 allows every accepted head, and that a slow reader reads the same.
enum HeaderProperty {
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let limits: Exchange.Limits =
            input.bool() ? .init() : .init(headSize: 600, fieldCount: 6)
        let lines = lines(of: Array(input.rest))
        guard let head = try accepted(lines, limits) else { return }
        try checkFields(head, HeadReference(lines))
        try FieldValueProperty.check(head)
    }

    /// Returns the lines in the form that libcurl delivers, with their line ends.
    private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for byte in bytes {
            line.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            lines.append(line)
            line = []
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func accepted(
        _ lines: [[UInt8]], _ limits: Exchange.Limits
    ) throws -> Exchange.Head? {
        var parser = HeadParser(limits: limits)
        var head: Exchange.Head?
        var size = 0
        for line in lines {
            size += line.count
            let event: HeadParser.Event
            do {
                event = try line.withUnsafeBytes { try parser.take($0) }
            } catch let error as Exchange.Failure {
                try require(!error.message.isEmpty, "a failure without a message")
                return head
            }
            try require(parser.receivedSize == size, "wrong size")
            // The trailer follows the head and has its own limits.
            let most = head == nil ? limits.headSize : limits.headSize + limits.trailerSize
            try require(size <= most, "a head above the limits")
            guard case .head(let found) = event else { continue }
            try require(head == nil, "a second final head")
            try require(found.fields.count <= limits.fieldCount, "too many fields")
            head = found
        }
        return head
    }

    private static func checkFields(_ head: Exchange.Head, _ reference: HeadReference) throws {
        try require(head.statusCode == reference.statusCode, "wrong status code")
        try require((200...999).contains(head.statusCode), "an invalid status code")
        try require(head.fields.count == reference.fields.count, "wrong number of fields")
        for (field, expected) in zip(head.fields, reference.fields) {
            let value = HeadReference.text(expected.value)
            try require(Array(field.name.utf8) == expected.name, "wrong name: \(field)")
            try require(Array(field.value.utf8) == Array(value.utf8), "wrong value: \(field)")
            try require(
                !field.name.isEmpty && field.name.utf8.allSatisfy(HeadReference.isToken),
                "a name that is not a token: \(field)"
            )
            try require(
                !expected.value.contains { [0, 0x0A, 0x0D].contains($0) },
                "a value with a line end: \(field)"
            )
            let first = try reference.first(named: field.name)
            try require(head[field.name.uppercased()] == first, "wrong first value")
        }
        try require(head.declaredLength == reference.length, "wrong length")
        let copy = Exchange.Head(statusCode: head.statusCode, fields: head.fields)
        try require(copy.fields == head.fields, "a copy has other fields")
        try require(copy.declaredLength == head.declaredLength, "a copy has another length")
        try require(
            ConnectionReuse(head.block).usableTime == reference.persistence.usableTime,
            "wrong usable time of the connection")
        try require(reference.hasKnownFraming, "unknown framing")
    }
}
