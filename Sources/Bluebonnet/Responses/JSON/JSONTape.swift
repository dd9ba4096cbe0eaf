import Foundation

/// The output of simdjson: one or two words for each value and bracket, in the order of the text.
///
/// `CBluebonnetJSON.h` describes the words. The memory belongs to the parser.
struct JSONTape {
    /// Thrown for a text that simdjson or the tape refuses.
    ///
    /// The tape refuses arrays and objects that are nested too deeply, and a key that would take
    /// too long to hash. ``JSONSyntax`` then locates the error.
    struct Refused: Error {}

    let words: UnsafePointer<UInt64>
    let strings: UnsafePointer<UInt8>

    private static let null = NSNull()

    /// Returns the plain Swift value of the text.
    func root(_ options: JSONReader) throws(Refused) -> any Sendable {
        var walk = Walk(tape: self, options: options)
        return try walk.value(depth: 0)
    }
}

extension JSONTape {
    /// A traversal of the tape that builds Swift values.
    ///
    /// It is recursive: simdjson has limited the nesting to the parser's maximum depth.
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
            // Creating a dictionary with a capacity costs less than reserving it in an empty one.
            var object = [String: any Sendable](
                minimumCapacity: tape.countedElements(of: index))
            let end = try enter(depth: depth)
            while index < end {
                let key = string()
                if CombiningMarks.areTooMany(in: key) { throw Refused() }
                if options.removesKeysWithNullValues, isAtNull {
                    // The last of repeated keys counts, even if its value is removed.
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

        /// Moves to the first element and returns the index of the closing bracket.
        private mutating func enter(depth: Int) throws(Refused) -> Int {
            guard depth <= options.maximumDepth else { throw Refused() }
            defer { index += 1 }
            return tape.end(of: index)
        }

        private mutating func string() -> String {
            index += 1
            return tape.string(at: index - 1)
        }

        /// Returns the value of a number and moves past its two words.
        private mutating func number() -> UInt64 {
            index += 2
            return tape.number(at: index - 2)
        }
    }
}
