import Foundation

@testable import Bluebonnet

/// The property that a written property list is read back unchanged.
///
/// Reading an untrusted property list must also need no more memory than its size allows.
enum PropertyListProperty {
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        switch input.byte() % 5 {
        case 0: try checkStranger(Array("bplist00".utf8) + input.rest)
        case 1: try checkStranger(table(&input))
        case 2: try checkStranger(Array("<plist>".utf8) + input.rest + Array("</plist>".utf8))
        case 3: try checkStranger(Array(input.rest))
        default: try checkWritten(&input)
        }
    }

    /// Returns objects with a valid table and trailer, so that all objects are read.
    private static func table(_ input: inout FuzzInput) -> [UInt8] {
        let size = input.choice([1, 2, 1, 4])
        var body = Array("bplist00".utf8)
        var offsets: [Int] = []
        while !input.isEmpty, offsets.count < 200 {
            offsets.append(body.count)
            body += input.bytes()
        }
        let start = body.count
        for offset in offsets { body += [UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)] }
        func number(_ value: Int) -> [UInt8] {
            withUnsafeBytes(of: UInt64(value).bigEndian) { Array($0) }
        }
        return body + [0, 0, 0, 0, 0, 0, 2, UInt8(size)] + number(offsets.count) + number(0)
            + number(start)
    }

    private static func checkStranger(_ bytes: [UInt8]) throws {
        let value: (any Sendable)?
        do {
            value = try PropertyListResponseSerializer().serialize(Data(bytes), head: nil)
        } catch let error as ResponseSerializationError {
            let isBinary = bytes.starts(with: Array("bplist0".utf8))
            return try require(
                !isBinary || error.description.contains(" at byte "), "no location: \(error)")
        } catch is XMLTree.ParseError {
            return
        }
        try require((value == nil) == bytes.isEmpty, "a value is missing or unexpected")
        try require(
            size(of: value) <= bytes.count + 5_000, "\(size(of: value)) values from \(bytes.count)")
        // The value can be written again, unless it has types of archives or old dates.
        guard let members = value as? [String: any Sendable] else { return }
        let parameters = Parameters(members)
        for format in [PropertyListRequestSerializer.Format.binary, .xml] {
            guard let written = try? write(parameters, format) else { continue }
            try compare(try read(written), members)
        }
    }

    private static func checkWritten(_ input: inout FuzzInput) throws {
        var parameters: [String: any Sendable] = [:]
        while !input.isEmpty { parameters[input.text()] = value(&input, depth: 0) }
        for format in [PropertyListRequestSerializer.Format.binary, .xml] {
            do {
                try compare(try read(try write(Parameters(parameters), format)), parameters)
            } catch let error as RequestSerializationError {
                // XML cannot represent some characters.
                try require(format == .xml, "rejected: \(error)")
            }
        }
    }

    private static func value(_ input: inout FuzzInput, depth: Int) -> any Sendable {
        switch input.byte() % (depth < 8 ? 8 : 6) {
        case 0: return input.bool()
        case 1: return Int(truncatingIfNeeded: input.word())
        case 2: return input.word() | 1 << 63
        case 3:
            let number = Double(bitPattern: input.word())
            return number.isFinite ? number : 0.5
        case 4: return input.text()
        case 5: return Data(input.bytes())
        case 6:
            return (0..<input.byte() % 4).map { _ in value(&input, depth: depth + 1) }
        default:
            let pairs = (0..<input.byte() % 4).map { _ in
                (input.text(), value(&input, depth: depth + 1))
            }
            return [String: any Sendable](pairs) { $1 }
        }
    }

    private static func write(
        _ parameters: Parameters, _ format: PropertyListRequestSerializer.Format
    ) throws -> Data {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = "POST"
        let serializer = PropertyListRequestSerializer(format: format)
        return try serializer.serialize(request, parameters: parameters).httpBody ?? Data()
    }

    private static func read(_ data: Data) throws -> (any Sendable)? {
        try PropertyListResponseSerializer().serialize(data, head: nil)
    }

    private static func compare(_ read: (any Sendable)?, _ written: [String: any Sendable]) throws {
        let (read, written) = (text(of: read), text(of: written))
        try require(read == written, "\(written) was read back as \(read)")
    }

    /// Returns the number of values, in which a container counts as one.
    private static func size(of value: (any Sendable)?) -> Int {
        switch value {
        case let array as [any Sendable]: array.reduce(1) { $0 + size(of: $1) }
        case let dictionary as [String: any Sendable]:
            dictionary.values.reduce(1) { $0 + size(of: $1) }
        default: 1
        }
    }

    private static func text(of value: (any Sendable)?) -> String {
        switch value {
        case let array as [any Sendable]:
            return "[" + array.map { text(of: $0) }.joined(separator: ", ") + "]"
        case let dictionary as [String: any Sendable]:
            let pairs = dictionary.map { key, value in
                "\(Array(key.unicodeScalars)): \(text(of: value))"
            }
            return "{" + pairs.sorted().joined(separator: ", ") + "}"
        case let text as String: return "\(Array(text.unicodeScalars))"
        case let data as Data: return "data \(Array(data))"
        // XML has only whole seconds, and no negative zero.
        case let date as Date:
            return "date \(date.timeIntervalSinceReferenceDate.rounded(.down) + 0)"
        case let number as Double: return "\(number)"
        default: return "\(value as Any)"
        }
    }
}
