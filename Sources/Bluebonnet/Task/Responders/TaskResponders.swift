/// Serializes a task's body and delivers the response.
protocol TaskResponder: AnyObject, Sendable {
    /// Validates a head with the serializer, if this responder is its task's judge.
    func validate(_ head: ResponseHead) throws(BluebonnetError)
    /// Returns whether serializing a body of this size takes hardly any work.
    func isCheap(byteCount: Int) -> Bool
    /// The size of the largest body that the serializer can read, in bytes; nil for any size.
    var maximumBodySize: Int? { get }
    /// Serializes the body, and sends the response to its receiver.
    ///
    /// The responder notifies the delegate when the receiver has returned.
    func respond(
        to outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn)
}

// Defaults for responders that read no body.
extension TaskResponder {
    func validate(_ head: ResponseHead) throws(BluebonnetError) {}

    func isCheap(byteCount: Int) -> Bool { true }

    var maximumBodySize: Int? { nil }
}

/// The responders of a task, and how many of them have been called.
///
/// They are called in the order in which they were added. The group and the notification wait for
/// those that were added before the task completed. Late responders are called one by one in the
/// task's queue, after the others.
struct TaskResponders {
    /// The position of a responder.
    enum Turn: Sendable {
        /// The first responder, whose value the notification carries.
        case first
        case further
        /// A responder that was added after the task completed.
        case late
    }

    // Separate from the others, because most tasks have only one.
    private var first: (any TaskResponder)?
    private let hasJudge: Bool
    private var others: [any TaskResponder] = []
    private var isCompleted = false
    private var turn = Turn.first
    /// The number of responders, without late ones, that have not been called.
    private var dueCount = 0
    /// The number of responders, without late ones, whose receiver has not returned.
    private var outstandingCount = 0
    /// The notification's content, kept from the first responder's return until it is posted.
    private var content: (any NotificationContent)?
    /// The handlers without a queue.
    var pool = PoolTurns()

    /// Creates the responders of a task with the first one, if any.
    ///
    /// `isJudge` is true if the serializer of the first responder validates responses.
    init(_ first: (any TaskResponder)?, isJudge: Bool = true) {
        self.first = first
        hasJudge = isJudge && first != nil
    }

    /// The responder that judges responses before the validators; nil once the task has completed.
    var judge: (any TaskResponder)? { hasJudge ? first : nil }

    /// The number of responders that were added.
    var count: Int { (first == nil ? 0 : 1) + others.count }

    /// Returns whether serializing a body of this size takes hardly any work for all responders.
    ///
    /// It can call the caller's serializers, so call it outside the task's lock.
    func areCheap(byteCount: Int) -> Bool {
        first?.isCheap(byteCount: byteCount) != false
            && (others.isEmpty || others.allSatisfy { $0.isCheap(byteCount: byteCount) })
    }

    /// The size of the largest body that a responder can read, in bytes; nil for any size.
    var maximumBodySize: Int? {
        guard let limit = first?.maximumBodySize else { return nil }
        return others.isEmpty
            ? limit : ([limit] + others.map(\.maximumBodySize)).commonMaximum
    }

    /// Adds a responder, and returns true if the task has completed, so that the caller must serve
    /// it.
    mutating func add(_ responder: any TaskResponder) -> Bool {
        if first == nil, others.isEmpty { first = responder } else { others.append(responder) }
        return isCompleted
    }

    /// Begins to call the responders, and returns true if there are none.
    mutating func begin() -> Bool {
        isCompleted = true
        dueCount = count
        outstandingCount = dueCount
        return dueCount == 0
    }

    /// Returns the next responder that was added before the task completed.
    mutating func next() -> (any TaskResponder, Turn)? {
        guard dueCount > 0, let responder = takeFirst() else { return nil }
        dueCount -= 1
        defer { turn = .further }
        return (responder, turn)
    }

    /// Whether responders that were added before the task completed have not been called.
    var areDue: Bool { dueCount > 0 }

    /// Returns the next late responder.
    mutating func nextLate() -> (any TaskResponder)? { takeFirst() }

    private mutating func takeFirst() -> (any TaskResponder)? { first.take() ?? others.popFirst() }

    /// Records that a receiver has returned, and returns true after the last one that is not late.
    mutating func noteReturn(of turn: Turn, _ content: (any NotificationContent)?) -> Bool {
        if turn == .late { return false }
        if turn == .first { self.content = content }
        outstandingCount -= 1
        return outstandingCount == 0
    }

    /// Returns the notification's content, and releases it because it holds the body's value.
    mutating func takeContent() -> (any NotificationContent)? { content.take() }
}

/// A task's handlers without a queue, which run in the pool one at a time.
struct PoolTurns {
    private var waiting: [@Sendable () -> Void] = []
    private var isTaken = false

    /// Returns whether a handler can enter the pool now; otherwise it waits for the current one.
    mutating func enter(_ handler: @escaping @Sendable () -> Void) -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        waiting.append(handler)
        return false
    }

    /// Records that a handler has left the pool, and returns the next one.
    mutating func leave() -> (@Sendable () -> Void)? {
        let next = waiting.popFirst()
        isTaken = next != nil
        return next
    }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
