import Foundation

/// A reader of property lists in the binary format `bplist00`.
///
/// The format is a table of objects that refer to each other by number. A small body can therefore
/// contain cycles, or describe an enormous tree by referring to one object many times.
///
/// For that reason the nesting depth is limited to 512. The total work is limited to the size of
/// the body, plus 1/256 of it for keys, plus 4,096. An object costs 1 each time it is referenced.
/// The content of a string or of data costs its size once. A key also costs 1 for each 256 bytes,
/// since it is hashed at each reference. A body that refers to each object once stays within the
/// limit.
struct BinaryPropertyList {
    static let signature = Array("bplist0".utf8)

    private static let maximumDepth = 512
    private static let trailerSize = 32
    private static let workToSpare = 4096
    private static let freeKeySize = 256

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let rootObject: Int
    private let tableOffset: Int
    /// Strings, data and UIDs by their offset; writers store each once and refer to it many times.
    private var known: [Int: any Sendable] = [:]
    private var remainingWork: Int

    init(_ data: Data, maximumSize: Int) throws {
        guard data.count <= maximumSize else {
            throw ResponseSerializationError(
                reason: """
                    the property list has \(data.count) bytes, more than the limit of \(maximumSize)
                    """
            )
        }
        let bytes = [UInt8](data)
        guard bytes.count >= 8 + Self.trailerSize else {
            throw Self.malformed("it is truncated", at: bytes.count)
        }
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let numbers = try [8, 16, 24].map {
            try Self.integer(in: bytes, at: trailer + $0, size: 8, limit: bytes.count)
        }
        (objectCount, rootObject, tableOffset) = (numbers[0], numbers[1], numbers[2])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            (8...trailer).contains(tableOffset),
            objectCount <= (trailer - tableOffset) / offsetSize, rootObject < objectCount
        else { throw Self.malformed("invalid trailer, or truncated list", at: trailer) }
        self.bytes = bytes
        remainingWork = bytes.count + bytes.count / Self.freeKeySize + Self.workToSpare
    }

    mutating func root() throws -> any Sendable {
        try object(rootObject, depth: 0)
    }

    private mutating func object(_ number: Int, depth: Int) throws -> any Sendable {
        guard number < objectCount else {
            throw Self.malformed("a reference to an object that does not exist", at: tableOffset)
        }
        let entry = tableOffset + number * offsetSize
        let offset = try Self.integer(in: bytes, at: entry, size: offsetSize, limit: tableOffset)
        guard (8..<tableOffset).contains(offset) else {
            throw Self.malformed("the offset of object \(number) is invalid", at: entry)
        }
        guard depth <= Self.maximumDepth else {
            throw Self.malformed("it is nested too deeply or refers to itself", at: offset)
        }
        try spend(1, at: offset)
        if let value = known[offset] { return value }
        let (kind, low) = (bytes[offset] >> 4, bytes[offset] & 0x0F)
        switch kind {
        case 0x0 where low == 8: return false
        case 0x0 where low == 9: return true
        case 0x1: return try integer(at: offset + 1, exponent: low)
        case 0x2 where low == 2: return Double(Float(bitPattern: UInt32(try raw(offset + 1, 4))))
        case 0x2 where low == 3: return Double(bitPattern: try raw(offset + 1, 8))
        case 0x3 where low == 3:
            let seconds = Double(bitPattern: try raw(offset + 1, 8))
            guard seconds.isFinite else { throw Self.malformed("an invalid date", at: offset) }
            return Date(timeIntervalSinceReferenceDate: seconds)
        case 0x4, 0x5, 0x6:
            let value = try content(kind, at: offset)
            known[offset] = value
            return value
        case 0x8 where low < 8:
            let size = Int(low) + 1
            let number = try Self.integer(in: bytes, at: offset + 1, size: size, limit: .max)
            let value = ["CF$UID": number]
            known[offset] = value
            return value
        case 0xA, 0xB, 0xC: return try array(at: offset, depth: depth)
        case 0xD: return try dictionary(at: offset, depth: depth)
        default:
            let marker = String(bytes[offset], radix: 16)
            throw Self.malformed("an object of the unknown kind 0x\(marker)", at: offset)
        }
    }

    private func integer(at offset: Int, exponent: UInt8) throws -> any Sendable {
        switch exponent {
        case 0...2: return Int(try raw(offset, 1 << exponent))
        case 3: return Int(Int64(bitPattern: try raw(offset, 8)))
        case 4:
            // Writers use 16 bytes for an integer that does not fit into 8 signed bytes.
            let (high, low) = (try raw(offset, 8), try raw(offset + 8, 8))
            if high == 0 { return Int(exactly: low) ?? low }
            let signed = Int64(bitPattern: low)
            if high == .max, signed < 0 { return Int(signed) }
            throw Self.malformed("an integer of more than 64 bits", at: offset)
        default: throw Self.malformed("an integer of an unknown size", at: offset)
        }
    }

    private mutating func content(_ kind: UInt8, at offset: Int) throws -> any Sendable {
        let (start, count) = try counted(at: offset, unit: kind == 0x6 ? 2 : 1)
        let content = Data(bytes[start..<start + count * (kind == 0x6 ? 2 : 1)])
        try spend(content.count, at: offset)
        if kind == 0x4 { return content }
        let encoding: String.Encoding = kind == 0x5 ? .ascii : .utf16BigEndian
        guard let text = TextEncoding.decode(content, as: encoding) else {
            throw Self.malformed("a string that is not valid in \(encoding)", at: offset)
        }
        return text
    }

    private mutating func array(at offset: Int, depth: Int) throws -> any Sendable {
        let (start, count) = try counted(at: offset, unit: referenceSize)
        var values: [any Sendable] = []
        for index in 0..<count {
            values.append(try object(reference(start, index), depth: depth + 1))
        }
        return values
    }

    private mutating func dictionary(at offset: Int, depth: Int) throws -> any Sendable {
        let (start, count) = try counted(at: offset, unit: 2 * referenceSize)
        var values: [String: any Sendable] = [:]
        for index in 0..<count {
            guard let key = try object(reference(start, index), depth: depth + 1) as? String else {
                throw Self.malformed("a key that is not a string", at: offset)
            }
            try spend(key.utf8.count / Self.freeKeySize, at: offset)
            guard !CombiningMarks.areTooMany(in: key) else {
                throw Self.malformed(CombiningMarks.excess, at: offset)
            }
            values[key] = try object(reference(start, count + index), depth: depth + 1)
        }
        return values
    }

    private func reference(_ start: Int, _ index: Int) throws -> Int {
        let place = start + index * referenceSize
        return try Self.integer(in: bytes, at: place, size: referenceSize, limit: .max)
    }

    /// Returns where an object's content begins and its number of units, all of which are in the
    /// body.
    private func counted(at offset: Int, unit: Int) throws -> (start: Int, count: Int) {
        let low = Int(bytes[offset] & 0x0F)
        var (start, count) = (offset + 1, low)
        if low == 0x0F {
            guard start < tableOffset, bytes[start] & 0xF0 == 0x10, bytes[start] & 0x0F <= 3 else {
                throw Self.malformed("a count that is not an integer", at: start)
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            count = try Self.integer(in: bytes, at: start + 1, size: size, limit: bytes.count)
            start += 1 + size
        }
        guard start <= tableOffset, count <= (tableOffset - start) / unit else {
            throw Self.malformed("an object of \(count) units is truncated", at: offset)
        }
        return (start, count)
    }

    private mutating func spend(_ work: Int, at offset: Int) throws {
        remainingWork -= work
        if remainingWork < 0 {
            throw Self.malformed("objects refer to each other too often", at: offset)
        }
    }

    private func raw(_ offset: Int, _ size: Int) throws -> UInt64 {
        try Self.raw(in: bytes, at: offset, size: size)
    }

    private static func raw(in bytes: [UInt8], at offset: Int, size: Int) throws -> UInt64 {
        guard offset <= bytes.count - size else { throw malformed("it is truncated", at: offset) }
        return bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func integer(
        in bytes: [UInt8],
        at offset: Int,
        size: Int,
        limit: Int
    ) throws -> Int {
        guard let value = Int(exactly: try raw(in: bytes, at: offset, size: size)), value <= limit
        else { throw malformed("a number is too big", at: offset) }
        return value
    }

    private static func malformed(_ text: String, at offset: Int) -> ResponseSerializationError {
        ResponseSerializationError(
            reason: "malformed binary property list: \(text), at byte \(offset)"
        )
    }
}
