import Foundation

/// Finds the texts of numbers; the tape stores only their values.
struct NumberTexts {
    /// The positions of the numbers on the tape and in the text.
    private var indexes: [UInt32] = []
    private var offsets: [UInt32] = []
    private let text: Data

    init(_ tape: JSONTape, _ text: Data) {
        self.text = text
        indexes = Self.indexes(in: tape)
        offsets.reserveCapacity(indexes.count)
        text.withUnsafeBytes { Self.scan($0, into: &offsets) }
    }

    /// The text of the number at an index of the tape; nil if there is no number.
    subscript(index: Int) -> Data? {
        var (low, high) = (0, indexes.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(indexes[middle]) < index { low = middle + 1 } else { high = middle }
        }
        guard low < offsets.count, Int(indexes[low]) == index else { return nil }
        return text.dropFirst(Int(offsets[low])).prefix(while: Self.isOfNumber)
    }

    private static func indexes(in tape: JSONTape) -> [UInt32] {
        var indexes: [UInt32] = []
        var index = JSONTape.root
        let end = tape.count
        while index < end {
            switch tape.kind(at: index) {
            case .signedInteger, .unsignedInteger, .double:
                indexes.append(UInt32(truncatingIfNeeded: index))
                index += 2
            default: index += 1
            }
        }
        return indexes
    }

    private static func scan(_ text: UnsafeRawBufferPointer, into offsets: inout [UInt32]) {
        var offset = 0
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                while offset < text.count, text[offset] != UInt8(ascii: "\"") {
                    offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
                offset += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                offsets.append(UInt32(truncatingIfNeeded: offset))
                while offset < text.count, isOfNumber(text[offset]) { offset += 1 }
            default: offset += 1
            }
        }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
