import Foundation

/// What simdjson makes of a text: one word for each value and bracket, in the order of the text.
///
/// `CBluebonnetJSON.h` describes the words. The memory is that of the parser.
struct JSONTape {
    /// Thrown of a text with a fault that ``JSONSyntax`` finds the place of.
    ///
    /// Arrays and objects are nested deeper than is allowed, or a key would take too long to be
    /// hashed.
    struct Refused: Error {}

    let words: UnsafePointer<UInt64>
    let strings: UnsafePointer<UInt8>

    private static let null = NSNull()

    /// The plain Swift value of the text.
    func root(_ options: JSONReader) throws(Refused) -> any Sendable {
        var walk = Walk(tape: self, options: options)
        return try walk.value(depth: 0)
    }
}

extension JSONTape {
    /// A walk over the tape that builds Swift values.
    ///
    /// It recurses, to the parser's maximum depth at most, since simdjson has checked that.
    private struct Walk {
        let tape: JSONTape
        let options: JSONReader
        var index = 1

        mutating func value(depth: Int) throws(Refused) -> any Sendable {
            let word = tape.words[index]
            switch kind(word) {
            case UInt8(ascii: "\""): return string(word)
            case UInt8(ascii: "l"): return Int(truncatingIfNeeded: number())
            case UInt8(ascii: "u"): return number()
            case UInt8(ascii: "d"): return Double(bitPattern: number())
            case UInt8(ascii: "{"): return try object(word, depth: depth + 1)
            case UInt8(ascii: "["): return try array(word, depth: depth + 1)
            case UInt8(ascii: "t"): return bool(true)
            case UInt8(ascii: "f"): return bool(false)
            default:
                index += 1
                return JSONTape.null
            }
        }

        private mutating func object(
            _ word: UInt64, depth: Int
        ) throws(Refused) -> [String: any Sendable] {
            let end = try enter(word, depth: depth)
            // Beginning with the capacity costs less than an empty dictionary that reserves it.
            var object = [String: any Sendable](minimumCapacity: elementCount(word))
            while index < end {
                let key = string(tape.words[index])
                if CombiningMarks.areTooMany(in: key) { throw Refused() }
                if options.removesKeysWithNullValues, isAtNull {
                    // The last of repeated keys counts, also when its value is left out.
                    object.removeValue(forKey: key)
                    index += 1
                } else {
                    object.updateValue(try value(depth: depth), forKey: key)
                }
            }
            index = end + 1
            return object
        }

        private mutating func array(
            _ word: UInt64, depth: Int
        ) throws(Refused) -> [any Sendable] {
            let end = try enter(word, depth: depth)
            var array: [any Sendable] = []
            array.reserveCapacity(elementCount(word))
            while index < end {
                if options.removesNullArrayElements, isAtNull {
                    index += 1
                } else {
                    array.append(try value(depth: depth))
                }
            }
            index = end + 1
            return array
        }

        private var isAtNull: Bool { kind(tape.words[index]) == UInt8(ascii: "n") }

        private func kind(_ word: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

        private mutating func bool(_ value: Bool) -> Bool {
            index += 1
            return value
        }

        /// Goes to the first element and returns the index of the closing bracket.
        private mutating func enter(_ word: UInt64, depth: Int) throws(Refused) -> Int {
            guard depth <= options.maximumDepth else { throw Refused() }
            index += 1
            return Int(word & 0xFFFF_FFFF) - 1
        }

        /// The number of elements as far as the tape counts, which is enough to begin with.
        private func elementCount(_ word: UInt64) -> Int { Int(word >> 32 & 0xFF_FFFF) }

        private mutating func string(_ word: UInt64) -> String {
            index += 1
            let start = tape.strings + Int(word & 0xFF_FFFF_FFFF_FFFF)
            let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
            return String(
                decoding: UnsafeBufferPointer(start: start + 4, count: Int(length)),
                as: UTF8.self
            )
        }

        /// The word behind that of a number.
        private mutating func number() -> UInt64 {
            index += 2
            return tape.words[index - 1]
        }
    }
}
