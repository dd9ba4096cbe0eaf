import Bluebonnet
import BluebonnetTourServer

/// The objects that the steps of a tour share.
struct TourStage: Sendable {
    /// The manager that sends the requests.
    let api: TourManager
    /// The server's URL.
    let url: URL
    /// The directory for the files of the tour.
    let directory: URL
    /// The output for the report.
    let output: Terminal
    /// The number of tasks whose completion was notified.
    let notified = Count()

    /// Starts a call with a completion handler, and waits for its response.
    func response<Value: Sendable>(
        _ start: (_ handler: @escaping @Sendable (Response<Value>) -> Void) -> Void
    ) async -> Response<Value> {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: $0) }
        }
    }
}
