import BluebonnetTransport
public import Foundation

/// A task's queue, which runs operations one at a time, in order, after the task has completed.
///
/// It is suspended until the task completes. Then the library's own work runs first, which
/// serializes and delivers the response. Operations follow in the order in which they were added,
/// including those added after completion. Tasks share a few threads for operations, so an
/// operation that blocks delays those of other tasks.
public final class SerialOperationQueue: Sendable {
    private enum Item: Sendable {
        case block(@Sendable () -> Void)
        case operation(Operation)
    }

    private struct State {
        var items: [Item] = []
        var isSuspended: Bool
        var isDraining = false
    }

    private let state: Locked<State>
    private let lane: DrainLane

    init(lane: DrainLane, isSuspended: Bool = true) {
        self.lane = lane
        state = Locked(State(isSuspended: isSuspended))
    }

    /// Whether the queue is suspended, because the task has not completed yet.
    public var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// The number of operations that have not begun.
    public var operationCount: Int { state.withLock { $0.items.count } }

    /// Adds a closure.
    public func addOperation(_ block: @escaping @Sendable () -> Void) {
        add(.block(block))
    }

    /// Adds an operation.
    ///
    /// The next operation begins when this one has finished, even if it is asynchronous or waits
    /// for dependencies.
    public func addOperation(_ operation: Operation) {
        add(.operation(operation))
    }

    /// Runs the operations from now on, after the library's own block.
    func release(first block: (@Sendable () -> Void)? = nil) {
        schedule { state in
            state.isSuspended = false
            if let block { state.items.insert(.block(block), at: 0) }
        }
    }

    private func add(_ item: Item) {
        schedule { $0.items.append(item) }
    }

    private func schedule(_ change: (inout State) -> Void) {
        let needsDraining = state.withLock { state in
            change(&state)
            guard !state.isSuspended, !state.isDraining, !state.items.isEmpty else { return false }
            state.isDraining = true
            return true
        }
        if needsDraining { lane.send(self) }
    }

    /// Runs the queued operations, on the lane's queue.
    func drain() {
        while let item = nextItem() {
            switch item {
            case .block(let block):
                block()
            case .operation(let operation):
                // Foundation handles dependencies and asynchronous operations. The continuation
                // resumes draining once the operation has finished.
                let continuation = BlockOperation { [self] in lane.send(self) }
                continuation.addDependency(operation)
                foundationOperations.addOperations(
                    [operation, continuation], waitUntilFinished: false)
                return
            }
        }
    }

    private func nextItem() -> Item? {
        state.withLock { state in
            guard !state.items.isEmpty else {
                state.isDraining = false
                return nil
            }
            return state.items.removeFirst()
        }
    }
}

/// The queue for Foundation's operations, which keeps them from blocking a lane.
private let foundationOperations = OperationQueue()

/// One of the serial queues on which task queues drain; a task always uses the same one.
///
/// They are serial because concurrent queues share a pool that adds one thread per second. A few
/// blocking handlers would hold up all work behind them.
typealias DrainLane = BatchQueue<SerialOperationQueue>

extension DrainLane {
    private static let all = make(2 * ProcessInfo.processInfo.activeProcessorCount)
    /// The lane of a forked process, in which missing threads can hold the others.
    private static let afterFork = make(1)

    private static func make(_ count: Int) -> [DrainLane] {
        (0..<count).map { number in
            DrainLane(label: "bluebonnet.tasks.\(number)") { $0.drain() }
        }
    }

    /// Returns the lane of a task.
    static func of(_ taskIdentifier: Int) -> DrainLane {
        let lanes = ProcessFork.hasLostThreads ? afterFork : all
        return lanes[abs(taskIdentifier % lanes.count)]
    }
}
