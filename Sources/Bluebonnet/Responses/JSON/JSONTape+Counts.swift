// How many elements or members there are, of which the tape says no more than 24 bits.
extension JSONTape {
    /// The number of elements or members.
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

    /// The number of elements as far as the tape counts, which is enough to begin with.
    @inline(__always)
    func countedElements(of index: Int) -> Int { Int(words[index] >> 32) & Self.mostCounted }

    /// How many elements of a type to make room for at once, which is no more than a sender should cause.
    func capacity<Element>(for type: Element.Type, of index: Int) -> Int {
        min(countedElements(of: index), max(16, 64 * 1024 / MemoryLayout<Element>.stride))
    }

    /// What the tape says of all that has as many elements, or more.
    private static var mostCounted: Int { 0xFF_FFFF }
}
