// The element counts of arrays and objects. The tape stores only 24 bits of a count.
extension JSONTape {
    /// Returns the exact number of elements or members.
    func elementCount(of index: Int) -> Int {
        let count = countedElements(of: index)
        guard count == Self.mostCounted else { return count }
        let isObject = kind(at: index) == .object
        var (elements, child) = (0, index + 1)
        while child < end(of: index) {
            child = next(after: isObject ? child + 1 : child)
            elements += 1
        }
        return elements
    }

    /// The number of elements as stored on the tape, at most 0xFFFFFF.
    @inline(__always)
    func countedElements(of index: Int) -> Int { Int(words[index] >> 32) & Self.mostCounted }

    /// Returns the capacity to reserve for the elements: at most 64 KiB or 16 elements, whichever
    /// is more.
    ///
    /// Without this limit, a server could cause a large allocation.
    func capacity<Element>(for type: Element.Type, of index: Int) -> Int {
        min(countedElements(of: index), max(16, 64 * 1024 / MemoryLayout<Element>.stride))
    }

    /// The count on the tape of an array or object with that many elements or more.
    private static var mostCounted: Int { 0xFF_FFFF }
}
