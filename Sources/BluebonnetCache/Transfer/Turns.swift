/// The callers of one place that send requests of their own, one after the other.
struct Turns {
    var running = 0
    var isSending = false
    private var waiting: [CachingTransfer] = []
    private var first = 0

    var isEmpty: Bool { first == waiting.count }

    mutating func add(_ callers: [CachingTransfer]) { waiting += callers }

    mutating func next(among count: Int) -> CachingTransfer? {
        while running < count, first < waiting.count {
            let caller = waiting[first]
            first += 1
            // Rarely, because it moves the rest.
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            if caller.isOver { continue }
            running += 1
            return caller
        }
        return nil
    }
}
