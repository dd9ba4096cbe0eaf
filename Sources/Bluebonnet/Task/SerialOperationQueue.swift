import BluebonnetTransport
public import Foundation

/// A task's queue: operations in the order added, one at a time, from the task's completion on.
///
/// It begins suspended and is released once, when the task completes. The library's own work,
/// serializing and delivering, comes first; what was added, also after completion, follows.
/// Operations run on one of a few threads that tasks share, so one that blocks holds others up.
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

    /// Whether the task has not completed yet.
    public var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// How many operations have not begun.
    public var operationCount: Int { state.withLock { $0.items.count } }

    /// Adds a closure.
    public func addOperation(_ block: @escaping @Sendable () -> Void) {
        add(.block(block))
    }

    /// Adds an operation.
    ///
    /// The next one begins when this one has finished, also when it is asynchronous or waits for
    /// others first.
    public func addOperation(_ operation: Operation) {
        add(.operation(operation))
    }

    /// Lets the operations run, from now on; those of the library's own come first.
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

    /// Runs what is there, on the lane's queue.
    func drain() {
        while let item = nextItem() {
            switch item {
            case .block(let block):
                block()
            case .operation(let operation):
                // Foundation knows about dependencies and asynchronous operations; the second
                // operation comes back here when the first is through.
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

/// Where operations of Foundation's kind run, so that none can block a lane.
private let foundationOperations = OperationQueue()

/// One of the serial queues on which task queues drain; a task always uses the same one.
///
/// Serial because concurrent queues share a pool of threads that grows by one a second, so that a
/// few handlers that block would stop everything behind them.
typealias DrainLane = BatchQueue<SerialOperationQueue>

extension DrainLane {
    private static let all = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { number in
        DrainLane(label: "bluebonnet.tasks.\(number)") { $0.drain() }
    }

    /// The lane of a task.
    static func of(_ taskIdentifier: Int) -> DrainLane {
        all[abs(taskIdentifier % all.count)]
    }
}
