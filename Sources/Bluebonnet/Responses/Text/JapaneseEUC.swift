import Foundation

/// A reader of EUC-JP, which Foundation does not support on Linux.
///
/// It uses other encodings of the same characters that Foundation does support.
enum JapaneseEUC {
    private static let rows: ClosedRange<UInt8> = 0xA1...0xFE

    /// Calls `take` with each character, up to the first invalid byte.
    ///
    /// - Returns: The offset of the first invalid byte; nil if all bytes are valid.
    static func read(_ text: Data, _ take: (Unicode.Scalar) -> Void) -> Int? {
        guard let table = CharacterTable.of(.shiftJIS) else { return 0 }
        return text.withUnsafeBytes { bytes in
            var offset = 0
            // A zero past the end is not part of any character of several bytes.
            func byte(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }
            while offset < bytes.count {
                let next = (bytes[offset], byte(offset + 1), byte(offset + 2))
                guard let (scalar, length) = character(next, table) else { return offset }
                take(scalar)
                offset += length
            }
            return nil
        }
    }

    private static func character(
        _ bytes: (UInt8, UInt8, UInt8), _ table: CharacterTable
    ) -> (Unicode.Scalar, length: Int)? {
        let (first, second, third) = bytes
        switch first {
        case ..<0x80: return (Unicode.Scalar(first), 1)
        case 0x8E where (0xA1...0xDF).contains(second):
            return Unicode.Scalar(0xFF61 + UInt32(second - 0xA1)).map { ($0, 2) }
        case 0x8F where rows.contains(second) && rows.contains(third):
            return supplement[Int(second - 0xA1) * 94 + Int(third - 0xA1)].map { ($0, 3) }
        case rows where rows.contains(second):
            return standard(row: first - 0xA0, cell: second - 0xA0, table).map { ($0, 2) }
        default: return nil
        }
    }

    /// Returns a character of JIS X 0208; Shift_JIS has two rows of 94 cells for each lead byte.
    private static func standard(
        row: UInt8, cell: UInt8, _ table: CharacterTable
    ) -> Unicode.Scalar? {
        let lead = (row - 1) / 2 + (row <= 62 ? 0x81 : 0xC1)
        let trail = row % 2 == 0 ? cell + 0x9E : cell + (cell < 64 ? 0x3F : 0x40)
        return table[lead, trail]
    }

    /// The characters of JIS X 0212, which Foundation supports in ISO-2022-JP-2.
    private static let supplement: [Unicode.Scalar?] = (0..<94 * 94).map { number in
        let (row, cell) = (UInt8(0x21 + number / 94), UInt8(0x21 + number % 94))
        let bytes = [0x1B, 0x24, 0x28, 0x44, row, cell, 0x1B, 0x28, 0x42]
        let scalars = String(data: Data(bytes), encoding: .iso2022JP2)?.unicodeScalars
        return scalars?.count == 1 ? scalars?.first : nil
    }
}
