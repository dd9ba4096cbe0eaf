/// A member of an object that is being written.
struct JSONMember {
    /// The offset of the member's text, which begins with the quotation mark of its name.
    private(set) var start: Int
    /// The offset after the closing quotation mark of the name.
    private(set) var nameEnd: Int
    var end = 0
    /// Whether the name is unescaped ASCII, so that its bytes determine its order.
    let isPlain: Bool
    /// The index in the fragment's `keys`, or nil if the name is plain and is the key.
    let key: UInt32?
    /// Whether the value is a nested fragment.
    var isNested = false

    /// The range of the name's bytes, without the quotation marks.
    var name: Range<Int> { start + 1..<nameEnd - 1 }

    mutating func move(by distance: Int) {
        start += distance
        nameEnd += distance
        end += distance
    }
}
