/// A list that usually has one element at most, which needs no memory of its own.
struct ShortList<Element> {
    private(set) var first: Element?
    private(set) var rest: [Element] = []

    var isEmpty: Bool { first == nil }

    mutating func append(_ element: consuming Element) {
        if first == nil { first = element } else { rest.append(element) }
    }
}
