import Foundation

/// A writer of property lists in the binary format `bplist00`, with sorted keys.
///
/// `PropertyListSerialization` writes dictionaries in a different order in every process, and
/// `PropertyListEncoder` writes "é" in two normal forms as one string. Here, objects are numbered in
/// the order in which they are visited, and each string is written once.
struct BinaryPropertyListWriter {
    /// The objects, whose references are written when the size of a reference is known.
    private var objects: [Object] = []
    /// The numbers of strings by their bytes, because `String` treats composed and decomposed
    /// letters as equal.
    private var strings: [[UInt8]: Int] = [:]

    /// An object: its bytes, and the numbers of the objects that it contains.
    private struct Object {
        var bytes: [UInt8]
        var references: [Int] = []
    }

    /// Returns the bytes of a value that the format can represent.
    static func data(of value: ParameterValue) -> Data {
        var writer = BinaryPropertyListWriter()
        _ = writer.add(value)
        return Data(writer.file())
    }

    /// Adds a value and its contents, and returns the value's number.
    private mutating func add(_ value: ParameterValue) -> Int {
        switch value {
        case .bool(let value): return add([value ? 0x09 : 0x08])
        case .integer(let value): return add(Self.bytes(of: value))
        case .floating, .decimal: return add([0x23] + Self.bigEndian(value.double.bitPattern))
        case .string(let text): return add(text)
        case .date(let date):
            return add([0x33] + Self.bigEndian(date.timeIntervalSinceReferenceDate.bitPattern))
        case .data(let data): return add(Self.marker(0x40, count: data.count) + data)
        case .array(let elements), .set(let elements):
            let number = add(Self.marker(0xA0, count: elements.count))
            objects[number].references = elements.map { add($0) }
            return number
        case .dictionary(let pairs):
            let number = add(Self.marker(0xD0, count: pairs.count))
            let keys = pairs.map { add($0.key) }
            objects[number].references = keys + pairs.map { add($0.value) }
            return number
        // The walk rejects these values; a string is valid in every property list.
        case .null, .hugeInteger: return add("")
        }
    }

    private mutating func add(_ bytes: [UInt8]) -> Int {
        objects.append(Object(bytes: bytes))
        return objects.count - 1
    }

    private mutating func add(_ text: String) -> Int {
        let bytes = Self.bytes(of: text)
        if let number = strings[bytes] { return number }
        let number = add(bytes)
        strings[bytes] = number
        return number
    }

    // MARK: The file

    /// Returns the signature, the objects, the table of their offsets, and the trailer.
    private func file() -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        let referenceSize = Self.size(of: objects.count)
        for object in objects {
            offsets.append(bytes.count)
            bytes += object.bytes
            for reference in object.references {
                bytes += Self.bigEndian(UInt64(reference)).suffix(referenceSize)
            }
        }
        let tableOffset = bytes.count
        let offsetSize = Self.size(of: tableOffset)
        for offset in offsets { bytes += Self.bigEndian(UInt64(offset)).suffix(offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        // The root is the first object.
        for number in [objects.count, 0, tableOffset] { bytes += Self.bigEndian(UInt64(number)) }
        return bytes
    }

    /// Returns the smallest of 1, 2, 4 and 8 bytes that can hold a number.
    private static func size(of number: Int) -> Int {
        [1, 2, 4].first { number < 1 << ($0 * 8) } ?? 8
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    // MARK: Objects

    /// Returns the first byte of an object with a count, followed by the count if it does not fit.
    private static func marker(_ type: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [type | UInt8(count)] : [type | 0x0F] + bytes(of: count)
    }

    /// Returns an integer in 1, 2 or 4 unsigned bytes, in 8 signed ones, or in 16 beyond `Int64`.
    private static func bytes(of integer: some BinaryInteger) -> [UInt8] {
        if let number = UInt8(exactly: integer) { return [0x10, number] }
        if let number = UInt16(exactly: integer) { return [0x11] + bigEndian(number) }
        if let number = UInt32(exactly: integer) { return [0x12] + bigEndian(number) }
        if let number = Int64(exactly: integer) { return [0x13] + bigEndian(number) }
        return [0x14] + bigEndian(UInt64(0)) + bigEndian(UInt64(truncatingIfNeeded: integer))
    }

    /// Returns a string, in ASCII if possible and in UTF-16 otherwise.
    private static func bytes(of text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return marker(0x50, count: text.utf8.count) + text.utf8
        }
        return marker(0x60, count: text.utf16.count) + text.utf16.flatMap(bigEndian)
    }
}
