import Foundation

// Accessors for the words of a tape.
extension JSONTape {
    /// The kind of a word, from its upper 8 bits.
    struct Kind: Equatable {
        let byte: UInt8

        static var object: Self { Self(byte: UInt8(ascii: "{")) }
        static var array: Self { Self(byte: UInt8(ascii: "[")) }
        static var string: Self { Self(byte: UInt8(ascii: "\"")) }
        /// An integer that fits into an `Int64`, stored in the next word.
        static var signedInteger: Self { Self(byte: UInt8(ascii: "l")) }
        /// An integer that fits only into a `UInt64`, stored in the next word.
        static var unsignedInteger: Self { Self(byte: UInt8(ascii: "u")) }
        /// A number with a fraction or an exponent, stored as a `Double` in the next word.
        static var double: Self { Self(byte: UInt8(ascii: "d")) }
        static var isTrue: Self { Self(byte: UInt8(ascii: "t")) }
        static var isFalse: Self { Self(byte: UInt8(ascii: "f")) }
        static var null: Self { Self(byte: UInt8(ascii: "n")) }
        /// The first word, which is not a value.
        static var start: Self { Self(byte: UInt8(ascii: "r")) }
    }

    /// The index of the text's root value.
    static var root: Int { 1 }

    /// The number of words.
    var count: Int { Int(words[0] & 0xFF_FFFF_FFFF_FFFF) }

    @inline(__always)
    func kind(at index: Int) -> Kind { Kind(byte: UInt8(truncatingIfNeeded: words[index] >> 56)) }

    /// Returns the index after a value.
    @inline(__always)
    func next(after index: Int) -> Int {
        switch kind(at: index) {
        case .object, .array: Int(words[index] & 0xFFFF_FFFF)
        case .signedInteger, .unsignedInteger, .double: index + 2
        default: index + 1
        }
    }

    /// Returns the index of the bracket that closes an array or object.
    @inline(__always)
    func end(of index: Int) -> Int { Int(words[index] & 0xFFFF_FFFF) - 1 }

    /// Returns the word after that of a number, which is its value.
    @inline(__always)
    func number(at index: Int) -> UInt64 { words[index + 1] }

    /// Returns the UTF-8 of a string or key.
    @inline(__always)
    func utf8(at index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = strings + Int(words[index] & 0xFF_FFFF_FFFF_FFFF)
        let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return UnsafeBufferPointer(start: start + 4, count: Int(length))
    }

    @inline(__always)
    func string(at index: Int) -> String {
        // simdjson has validated the UTF-8.
        String(copying: unsafe UTF8Span(unchecked: utf8(at: index).span))
    }
}
