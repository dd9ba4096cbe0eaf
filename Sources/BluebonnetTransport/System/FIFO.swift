/// A first-in, first-out queue whose operations take amortized constant time.
// Inlinable, because other modules would otherwise call unspecialized generic code.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var start = 0

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { start == elements.count }
    @inlinable package var count: Int { elements.count - start }
    @inlinable package var first: Element? { isEmpty ? nil : elements[start] }

    @inlinable
    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    @inlinable
    package mutating func pop() -> Element? {
        guard start < elements.count else { return nil }
        defer { advance() }
        return elements[start].take()
    }

    @inlinable
    mutating func advance() {
        start += 1
        if start == elements.count {
            elements.removeAll(keepingCapacity: start <= 64)
            start = 0
        } else if start >= 1024, start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
    }
}
