/// The counts of a loop of requests.
struct LoopTally {
    private let count: Int
    private let expectedByteCount: Int?
    private var started = 0
    private var finished = 0
    private(set) var byteCount = 0
    private(set) var failure: (any Error)?

    init(count: Int, expectedByteCount: Int?) {
        self.count = count
        self.expectedByteCount = expectedByteCount
    }

    /// Whether a request has failed or the last one has finished.
    private var isOver: Bool { failure != nil || finished == count }

    /// Returns the number of the next request, or nil if there is none.
    mutating func begin() -> Int? {
        guard started < count, failure == nil else { return nil }
        defer { started += 1 }
        return started
    }

    /// Counts a body and returns whether the loop is over.
    mutating func finish(byteCount received: Int) -> Bool {
        guard !isOver else { return false }
        if let expectedByteCount, received != expectedByteCount {
            failure = LoopFailure("a body of \(received) bytes instead of \(expectedByteCount)")
        } else {
            byteCount += received
            finished += 1
        }
        return isOver
    }

    /// Records a failure and returns whether the loop is over.
    mutating func fail(_ error: any Error) -> Bool {
        guard !isOver else { return false }
        failure = error
        return true
    }
}

/// The reason that a loop of requests stopped early.
package struct LoopFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
