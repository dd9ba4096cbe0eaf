/// First in, first out, in constant time.
package struct FIFO<Element> {
    private var elements: [Element?] = []
    private var start = 0

    package init() {}

    package var isEmpty: Bool { start == elements.count }

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    package mutating func pop() -> Element? {
        guard start < elements.count else { return nil }
        defer { elements[start] = nil; advance() }
        return elements[start]
    }

    private mutating func advance() {
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
