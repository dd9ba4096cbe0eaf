import BluebonnetTransport
import Foundation

/// The characters of an encoding's single bytes or pairs of bytes, as Foundation decodes them.
///
/// Foundation does not decode whole texts here, for three reasons. It swaps the control characters
/// 0x1A, 0x1C and 0x7F in encodings from IBM. It invents private-use characters for undefined
/// bytes. It does not report which byte is invalid.
struct CharacterTable: Sendable {
    private static let made = Locked<[String.Encoding: CharacterTable]>([:])

    /// The characters of single bytes, then those of pairs by their first byte; 0 for none.
    private var characters = Array<UInt32>(0..<0x80) + Array(repeating: 0, count: 0x80)

    /// Returns the table of an encoding; nil if the encoding is not read with a table.
    static func of(_ encoding: String.Encoding) -> CharacterTable? {
        if let table = made.withLock({ $0[encoding] }) { return table }
        let table: CharacterTable
        switch encoding {
        case .shiftJIS:
            // The rows from 0xF0 on are user-defined, and map to private-use characters by
            // convention.
            table = CharacterTable(pairsOf: .windows31J, leads: [0x81...0x9F, 0xE0...0xFC], 0xE000)
        case .eucKR: table = CharacterTable(pairsOf: encoding, leads: [0x81...0xFE])
        case .big5: table = CharacterTable(pairsOf: encoding, leads: [0x81...0xFE])
        case .macOSRoman: table = CharacterTable(singlesOf: .macRoman)
        case _ where TextEncoding.singleByteEncodings.contains(encoding):
            table = CharacterTable(singlesOf: encoding)
        default: return nil
        }
        // Another thread can have stored an equal table in the meantime.
        made.withLock { $0[encoding] = table }
        return table
    }

    private init(singlesOf encoding: String.Encoding) {
        for byte in UInt8(0x80)...0xFF {
            // Foundation invents a character for this byte, which is undefined in the encoding.
            if encoding == .windowsCP1253, byte == 0xAA { continue }
            // The only private-use character that is expected is Apple's logo, U+F8FF.
            if let scalar = Self.characters([byte], encoding, 0xF8FF)?.first {
                characters[Int(byte)] = scalar
            } else if byte < 0xA0 {
                // Like browsers, read an undefined byte as a control character (WHATWG).
                characters[Int(byte)] = UInt32(byte)
            }
        }
    }

    private init(
        pairsOf encoding: String.Encoding, leads: [ClosedRange<UInt8>],
        _ firstPrivate: UInt32 = .max
    ) {
        for byte in UInt8(0x80)...0xFF where !leads.contains(where: { $0.contains(byte) }) {
            let scalars = Self.characters([byte], encoding, .max)
            // Foundation reads bytes below 0xA0 as control characters, which these encodings lack.
            if let scalar = scalars?.first, scalar >= 0xA0 { characters[Int(byte)] = scalar }
        }
        characters += Array(repeating: 0, count: 0x80 * 0x100)
        for lead in leads.joined() {
            fill(lead, 0x40...0xFE, encoding, firstPrivate)
        }
    }

    /// Decodes many pairs at once, or in halves if some of the pairs are not characters.
    private mutating func fill(
        _ lead: UInt8, _ trails: ClosedRange<UInt8>, _ encoding: String.Encoding,
        _ firstPrivate: UInt32
    ) {
        let bytes = trails.flatMap { [lead, $0] }
        let place = Self.place(lead, trails.lowerBound)
        if let scalars = Self.characters(bytes, encoding, firstPrivate) {
            characters.replaceSubrange(place..<place + scalars.count, with: scalars)
        } else if trails.count > 1 {
            let middle = trails.lowerBound + UInt8(trails.count / 2)
            fill(lead, trails.lowerBound...(middle - 1), encoding, firstPrivate)
            fill(lead, middle...trails.upperBound, encoding, firstPrivate)
        }
    }

    /// Decodes single bytes or pairs; nil unless each of them is one character.
    private static func characters(
        _ bytes: [UInt8], _ encoding: String.Encoding, _ firstPrivate: UInt32
    ) -> [UInt32]? {
        let text = String(data: Data(bytes), encoding: encoding)
        guard let scalars = text?.unicodeScalars.map(\.value),
            scalars.count == max(1, bytes.count / 2),
            !scalars.contains(where: { (0xE000..<min(0xF900, firstPrivate)).contains($0) })
        else { return nil }
        return scalars
    }

    /// Returns the index of a pair's character; the lead byte must be at least 0x80.
    private static func place(_ lead: UInt8, _ trail: UInt8) -> Int {
        0x100 + Int(lead - 0x80) << 8 + Int(trail)
    }

    /// The character of a pair of bytes; nil if there is none.
    subscript(_ lead: UInt8, _ trail: UInt8) -> Unicode.Scalar? {
        guard lead >= 0x80 else { return nil }
        let place = Self.place(lead, trail)
        guard place < characters.count, characters[place] > 0 else { return nil }
        return Unicode.Scalar(characters[place])
    }

    /// Calls `take` with each character, up to the first invalid byte.
    ///
    /// - Returns: The offset of the first invalid byte; nil if all bytes are valid.
    func read(_ text: Data, _ take: (Unicode.Scalar) -> Void) -> Int? {
        text.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let first = bytes[offset]
                if first == 0 || characters[Int(first)] > 0 {
                    guard let scalar = Unicode.Scalar(characters[Int(first)]) else { return offset }
                    take(scalar)
                    offset += 1
                } else if offset + 1 < bytes.count, let scalar = self[first, bytes[offset + 1]] {
                    take(scalar)
                    offset += 2
                } else {
                    return offset
                }
            }
            return nil
        }
    }
}
