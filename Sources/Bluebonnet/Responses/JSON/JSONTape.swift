import Foundation

/// What simdjson makes of a text: one word for each value and bracket, in the order of the text.
///
/// `CBluebonnetJSON.h` describes the words. The memory is that of the parser.
struct JSONTape {
    /// Thrown of a text that simdjson does not read, or with a fault that ``JSONSyntax`` finds the place of.
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
        var index = JSONTape.root

        mutating func value(depth: Int) throws(Refused) -> any Sendable {
            switch tape.kind(at: index) {
            case .string: return string()
            case .signedInteger: return Int(truncatingIfNeeded: number())
            case .unsignedInteger: return number()
            case .double: return Double(bitPattern: number())
            case .object: return try object(depth: depth + 1)
            case .array: return try array(depth: depth + 1)
            case .isTrue: return bool(true)
            case .isFalse: return bool(false)
            default:
                index += 1
                return JSONTape.null
            }
        }

        private mutating func object(depth: Int) throws(Refused) -> [String: any Sendable] {
            // Beginning with the capacity costs less than an empty dictionary that reserves it.
            var object = [String: any Sendable](
                minimumCapacity: tape.countedElements(of: index))
            let end = try enter(depth: depth)
            while index < end {
                let key = string()
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

        private mutating func array(depth: Int) throws(Refused) -> [any Sendable] {
            var array: [any Sendable] = []
            array.reserveCapacity(tape.countedElements(of: index))
            let end = try enter(depth: depth)
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

        private var isAtNull: Bool { tape.kind(at: index) == .null }

        private mutating func bool(_ value: Bool) -> Bool {
            index += 1
            return value
        }

        /// Goes to the first element and returns the index of the closing bracket.
        private mutating func enter(depth: Int) throws(Refused) -> Int {
            guard depth <= options.maximumDepth else { throw Refused() }
            defer { index += 1 }
            return tape.end(of: index)
        }

        private mutating func string() -> String {
            index += 1
            return tape.string(at: index - 1)
        }

        /// The word behind that of a number.
        private mutating func number() -> UInt64 {
            index += 2
            return tape.number(at: index - 2)
        }
    }
}
