import Foundation

/// The position at which the search for an object's next key begins.
struct KeyHint {
    /// The index of the object, with the document's number in the upper 32 bits.
    fileprivate var object: UInt64 = 0
    /// The index of the key after the one that was found last.
    fileprivate var next = 0
    /// A set of bits for the keys before `next`; several keys can share a bit.
    fileprivate var passed: UInt64 = 0
}

/// Finds members by the bytes of their keys, starting after the last key that was found.
///
/// Types usually request their keys in the order in which servers send them. The first of repeated
/// keys counts.
struct KeySearch {
    enum Outcome {
        /// The index of the value.
        case found(Int)
        case missing
        /// The object has too many keys for a linear search.
        case needsIndex
    }

    /// The largest number of members for a linear search; a larger object is indexed.
    static let mostSearched = 64

    let tape: JSONTape
    /// The parser's hints, one for each depth.
    let hints: UnsafeMutablePointer<KeyHint>
    /// Distinguishes the objects of this document from those of earlier ones.
    let documentNumber: UInt32

    @inline(__always)
    func find(
        _ name: UnsafeBufferPointer<UInt8>, in object: Int, depth: Int
    ) -> Outcome {
        let hint = hints + depth
        let stamp = UInt64(documentNumber) << 32 | UInt64(truncatingIfNeeded: object)
        if hint.pointee.object != stamp {
            hint.pointee = KeyHint(object: stamp, next: object + 1, passed: 0)
        }
        let index = hint.pointee.next
        if index < tape.end(of: object) {
            let key = tape.utf8(at: index)
            let bit = Self.bit(of: key)
            if Self.areEqual(key, name), hint.pointee.passed & bit == 0 {
                hint.pointee.next = tape.next(after: index + 1)
                hint.pointee.passed |= bit
                return .found(index + 1)
            }
        }
        return search(name, in: object, hint)
    }

    /// Searches the keys before the hint if one of them can match, then those from the hint on.
    @inline(never)
    private func search(
        _ name: UnsafeBufferPointer<UInt8>, in object: Int, _ hint: UnsafeMutablePointer<KeyHint>
    ) -> Outcome {
        guard tape.countedElements(of: object) <= Self.mostSearched else { return .needsIndex }
        let (start, end) = (object + 1, tape.end(of: object))
        // If the bit is set, an equal key can precede the hint. The first of repeated keys counts.
        if hint.pointee.passed & Self.bit(of: name) != 0,
            let found = scan(for: name, start, hint.pointee.next, passed: 0, hint)
        {
            return .found(found)
        }
        let found = scan(for: name, hint.pointee.next, end, passed: hint.pointee.passed, hint)
        return found.map { .found($0) } ?? .missing
    }

    private func scan(
        for name: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, passed: UInt64,
        _ hint: UnsafeMutablePointer<KeyHint>
    ) -> Int? {
        var (index, passed) = (start, passed)
        while index < end {
            let key = tape.utf8(at: index)
            let after = tape.next(after: index + 1)
            passed |= Self.bit(of: key)
            if Self.areEqual(key, name) {
                (hint.pointee.next, hint.pointee.passed) = (after, passed)
                return index + 1
            }
            index = after
        }
        return nil
    }

    @inline(__always)
    private static func areEqual(
        _ key: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard key.count == name.count, let first = key.baseAddress, let second = name.baseAddress
        else { return key.count == name.count }
        return memcmp(first, second, key.count) == 0
    }

    @inline(__always)
    private static func bit(of key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let first = key.first, let last = key.last else { return 1 }
        let ends = UInt64(first) << 8 | UInt64(last)
        let hash = (ends ^ UInt64(truncatingIfNeeded: key.count) << 16) &* 0x9E37_79B9_7F4A_7C15
        return 1 &<< (hash >> 58)
    }
}
