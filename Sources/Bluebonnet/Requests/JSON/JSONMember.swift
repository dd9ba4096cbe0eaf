/// A member of an object that is being written.
struct JSONMember {
    /// Where its text begins: the quotation mark of its name.
    private(set) var start: Int
    /// Where its name ends, quotation marks included.
    private(set) var nameEnd: Int
    var end = 0
    /// Whether the name is ASCII and nothing in it is escaped, so that its bytes say its order.
    let isPlain: Bool
    /// Where its key is among those of the fragment; nil if the name is the key, and plain.
    let key: UInt32?
    /// Whether its value is a fragment of its own.
    var isNested = false

    /// The bytes of the name, without the quotation marks.
    var name: Range<Int> { start + 1..<nameEnd - 1 }

    mutating func move(by distance: Int) {
        start += distance
        nameEnd += distance
        end += distance
    }
}
