import Bluebonnet
import Foundation

/// Counts how often the completion of one task is told.
struct FaultCompletion {
    private struct Counts {
        var handlers = 0
        var hooks = 0
    }

    private let manager: HTTPSessionManager
    private let told = Locked(Counts())

    init(_ manager: HTTPSessionManager) {
        self.manager = manager
    }

    /// Sends a request with a completion handler.
    func response(to request: URLRequest) async -> Response<Data> {
        await withCheckedContinuation { continuation in
            let task = manager.dataTask(
                with: request, serializer: HTTPResponseSerializer(acceptableStatusCodes: nil)
            ) { [told] response in
                let isFirst = told.withLock { counts in
                    counts.handlers += 1
                    return counts.handlers == 1
                }
                if isFirst { continuation.resume(returning: response) }
            }
            let identifier = task.taskIdentifier
            manager.taskDidComplete = { [told] task, _ in
                if task.taskIdentifier == identifier { told.withLock { $0.hooks += 1 } }
            }
            task.resume()
        }
    }

    /// How often the handler and the hook were called.
    var counts: [Int] { told.withLock { [$0.handlers, $0.hooks] } }
}
