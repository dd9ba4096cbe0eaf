/// Facts about the keys of a text that are not ASCII.
struct ForeignKeys {
    /// Whether a key has characters beyond ASCII.
    private(set) var isAny = false
    /// Whether a key would take too long to hash.
    private(set) var areTooMarked = false

    init(in tape: JSONTape) {
        // The ends of the arrays and objects that are open, and whether they are objects.
        var open: [(end: Int, isObject: Bool)] = []
        var index = JSONTape.root
        while index < tape.count {
            if let last = open.last {
                if index == last.end {
                    open.removeLast()
                    index += 1
                    continue
                }
                if last.isObject {
                    judge(tape, index)
                    index += 1
                }
            }
            switch tape.kind(at: index) {
            case .object: open.append((tape.end(of: index), true))
            case .array: open.append((tape.end(of: index), false))
            default:
                index = tape.next(after: index)
                continue
            }
            index += 1
        }
    }

    private mutating func judge(_ tape: JSONTape, _ index: Int) {
        let key = tape.utf8(at: index)
        guard key.contains(where: { $0 >= 0x80 }) else { return }
        isAny = true
        if key.count > CombiningMarks.longestHarmlessText,
            CombiningMarks.areTooMany(in: tape.string(at: index))
        {
            areTooMarked = true
        }
    }
}
