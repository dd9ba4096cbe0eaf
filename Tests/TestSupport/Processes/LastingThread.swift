import BluebonnetTransport
import Foundation

/// A thread that lives as long as the process.
///
/// Linux sends a child its PR_SET_PDEATHSIG signal when the thread that started it ends. Dispatch's
/// threads end when they are idle, but this one does not.
enum LastingThread {
    private static let work = Locked([@Sendable () -> Void]())
    private static let added = DispatchSemaphore(value: 0)
    private static let start: Void = Thread.detachNewThread {
        while true {
            added.wait()
            work.withLock { $0.removeFirst() }()
        }
    }

    /// Runs `body` on the thread, after all earlier calls.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        start
        // The thread sanitizer does not see a continuation that is resumed before it is awaited, so
        // the result is passed under a lock.
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
