/// A decoder that follows the Unicode standard, one code unit at a time.
enum UnicodeReference {
    enum Outcome {
        case scalars([Unicode.Scalar])
        /// The byte offset of the first invalid code unit.
        case invalid(Int)
    }

    static func utf8(_ bytes: [UInt8]) -> Outcome {
        var scalars: [Unicode.Scalar] = []
        var place = 0
        while place < bytes.count {
            let first = UInt32(bytes[place])
            let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let smallest: [UInt32] = [0, 0x80, 0x800, 0x10000]
            let mask: [UInt32] = [0x7F, 0x1F, 0x0F, 0x07]
            let follow = bytes[(place + 1)...].prefix(count - 1)
            guard !(0x80..<0xC0).contains(first), first < 0xF8, follow.count == count - 1,
                follow.allSatisfy({ $0 >> 6 == 2 })
            else { return .invalid(place) }
            let value = follow.reduce(first & mask[count - 1]) { $0 << 6 | UInt32($1 & 0x3F) }
            guard value >= smallest[count - 1], let scalar = Unicode.Scalar(value) else {
                return .invalid(place)
            }
            scalars.append(scalar)
            place += count
        }
        return .scalars(scalars)
    }

    static func utf16(_ bytes: [UInt8], bigEndian: Bool) -> Outcome {
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
            UInt32(bytes[place + (bigEndian ? 0 : 1)]) << 8
                | UInt32(bytes[place + (bigEndian ? 1 : 0)])
        }
        var scalars: [Unicode.Scalar] = []
        var place = 0
        while place < units.count {
            var value = units[place]
            var count = 1
            if (0xD800..<0xDC00).contains(value), place + 1 < units.count,
                (0xDC00..<0xE000).contains(units[place + 1])
            {
                value = 0x10000 + (value - 0xD800) << 10 + (units[place + 1] - 0xDC00)
                count = 2
            }
            guard let scalar = Unicode.Scalar(value) else { return .invalid(place * 2) }
            scalars.append(scalar)
            place += count
        }
        return .scalars(scalars)
    }

    static func utf32(_ bytes: [UInt8], bigEndian: Bool) -> Outcome {
        var scalars: [Unicode.Scalar] = []
        for place in stride(from: 0, to: bytes.count, by: 4) {
            let unit = bytes[place...].prefix(4)
            let value = (bigEndian ? Array(unit) : unit.reversed()).reduce(0) {
                $0 << 8 | UInt32($1)
            }
            guard unit.count == 4, let scalar = Unicode.Scalar(value) else {
                return .invalid(place)
            }
            scalars.append(scalar)
        }
        return .scalars(scalars)
    }
}
