import BluebonnetTransport
import Foundation

/// A thread that lives as long as the process.
///
/// Linux signals a child that asked for it (PR_SET_PDEATHSIG) when the thread that started it
/// ends, and the threads of Dispatch end when they are idle. This one ends with the process.
enum LastingThread {
    private static let work = Locked([@Sendable () -> Void]())
    private static let added = DispatchSemaphore(value: 0)
    private static let start: Void = Thread.detachNewThread {
        while true {
            added.wait()
            work.withLock { $0.removeFirst() }()
        }
    }

    /// Runs `body` on the thread, after what was asked for before.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        start
        // Handed over under a lock: of a continuation that is resumed before it is awaited the thread
        // sanitizer learns nothing.
        let outcome = Locked<Result<Value, any Error>?>(nil)
        await withCheckedContinuation { continuation in
            work.withLock { work in
                work.append {
                    let result = Result { try body() }
                    outcome.withLock { $0 = result }
                    continuation.resume()
                }
            }
            added.signal()
        }
        guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
