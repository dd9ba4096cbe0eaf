import BluebonnetTransport
import Foundation

/// Runs asynchronous code, such as the start of a server, and blocks the thread until it ends.
///
/// It is meant for the main thread of a tool. The threads of Swift's executors must not be blocked.
package func runBlocking<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let outcome = Locked<Result<Value, any Error>>(.failure(ServerFailure("nothing was run")))
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await body()
            outcome.withLock { $0 = .success(value) }
        } catch {
            outcome.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return try outcome.withLock { $0 }.get()
}
