/// What serializes a task's body, and delivers the response.
protocol TaskResponder: AnyObject, Sendable {
    /// Judges a head as the serializer does, where the responder is its task's judge.
    func validate(_ head: ResponseHead) throws(BluebonnetError)
    /// Whether serializing a body of so many bytes is hardly any work.
    func isCheap(byteCount: Int) -> Bool
    /// The largest body that the serializer can read; nil for any.
    var maximumBodySize: Int? { get }
    /// Serializes the body and sends the response on its way to its receiver.
    ///
    /// When the receiver has returned, the delegate hears of it.
    func respond(
        to outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn)
}

// Of responders that read no body.
extension TaskResponder {
    func validate(_ head: ResponseHead) throws(BluebonnetError) {}

    func isCheap(byteCount: Int) -> Bool { true }

    var maximumBodySize: Int? { nil }
}

/// A task's responders, and how far those are that have been told of its end.
///
/// They are served in the order in which they were added. Those that are there when the task completes
/// count: for them the group and the notification wait. Those that come later are served one by one on the
/// task's queue, behind the others.
struct TaskResponders {
    /// Which of them one is.
    enum Turn: Sendable {
        /// The first, whose value is the notification's.
        case first
        case further
        /// One that was added after the task's completion.
        case late
    }

    // Apart from the others, since mostly there is but one.
    private var first: (any TaskResponder)?
    private let hasJudge: Bool
    private var others: [any TaskResponder] = []
    private var isCompleted = false
    private var turn = Turn.first
    /// How many of those that count have not been told.
    private var dueCount = 0
    /// How many of those that count have not returned.
    private var outstandingCount = 0
    /// What the notification carries, from the first one until it is posted.
    private var content: (any NotificationContent)?
    /// The handlers that have no queue.
    var pool = PoolTurns()

    /// Makes the responders of a task from the one that it is made with, if any; `isJudge` where the
    /// serializer of that one judges responses.
    init(_ first: (any TaskResponder)?, isJudge: Bool = true) {
        self.first = first
        hasJudge = isJudge && first != nil
    }

    /// Who judges responses before the validators do; nil once the task has completed.
    var judge: (any TaskResponder)? { hasJudge ? first : nil }

    /// Whether serializing a body of so many bytes is hardly any work for all of them.
    func areCheap(byteCount: Int) -> Bool {
        first?.isCheap(byteCount: byteCount) != false
            && others.allSatisfy { $0.isCheap(byteCount: byteCount) }
    }

    /// The largest body that one of them can read; nil where one reads any, or there is none.
    var maximumBodySize: Int? {
        guard let limit = first?.maximumBodySize else { return nil }
        return others.isEmpty
            ? limit : ([limit] + others.map(\.maximumBodySize)).commonMaximum
    }

    /// Adds one; true if the caller is to have a late one served, since the task has completed.
    mutating func add(_ responder: any TaskResponder) -> Bool {
        if first == nil, others.isEmpty { first = responder } else { others.append(responder) }
        return isCompleted
    }

    /// Begins to serve those that count; true if there are none.
    mutating func begin() -> Bool {
        isCompleted = true
        dueCount = (first == nil ? 0 : 1) + others.count
        outstandingCount = dueCount
        return dueCount == 0
    }

    /// The next of those that count.
    mutating func next() -> (any TaskResponder, Turn)? {
        guard dueCount > 0, let responder = takeFirst() else { return nil }
        dueCount -= 1
        defer { turn = .further }
        return (responder, turn)
    }

    /// The next one, where those that count have been served.
    mutating func nextLate() -> (any TaskResponder)? { takeFirst() }

    private mutating func takeFirst() -> (any TaskResponder)? { first.take() ?? others.popFirst() }

    /// Notes that the receiver of one has returned; true after the last of those that count.
    mutating func noteReturn(of turn: Turn, _ content: (any NotificationContent)?) -> Bool {
        if turn == .late { return false }
        if turn == .first { self.content = content }
        outstandingCount -= 1
        return outstandingCount == 0
    }

    /// What the notification carries; kept no longer, since it holds the body's value.
    mutating func takeContent() -> (any NotificationContent)? { content.take() }
}

/// A task's handlers without a queue: one at a time is in the pool, and the others wait.
struct PoolTurns {
    private var waiting: [@Sendable () -> Void] = []
    private var isTaken = false

    /// Whether a handler may go to the pool now; otherwise it waits for the one that is there.
    mutating func enter(_ handler: @escaping @Sendable () -> Void) -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        waiting.append(handler)
        return false
    }

    /// Notes that a handler has left the pool; the next one that goes there.
    mutating func leave() -> (@Sendable () -> Void)? {
        let next = waiting.popFirst()
        isTaken = next != nil
        return next
    }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
