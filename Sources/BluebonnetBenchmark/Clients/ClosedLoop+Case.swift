import BluebonnetTestSupport
import Foundation
import FoundationNetworking

extension ClosedLoop {
    /// Sends a request under the rules of ``ClosedLoop/Request``.
    typealias Exchange = @Sendable (URLRequest, @escaping Completion) -> Void

    /// Measures the work of a case.
    static func measure(
        _ parameters: ClientParameters, exchange: @escaping Exchange
    ) throws -> ClientRun {
        let request = parameters.request
        switch parameters.work {
        case .hosts(let count):
            let rotation = try HostRotation(parameters.url, count: count)
            return try measure(count: parameters.count, concurrency: parameters.concurrency) {
                exchange(rotation.next(), $0)
            }
        case .firstResponse:
            return try measureStart(parameters.argument) { exchange(request, $0) }
        case .amongHeld:
            return try HeldTasks(parameters, count: parameters.concurrency, exchange)
                .measure()
        default:
            return try measure(count: parameters.count, concurrency: parameters.concurrency) {
                exchange(request, $0)
            }
        }
    }

    /// Measures one request from the start of the process, which is given as a time.
    private static func measureStart(_ time: String, request: @escaping Single) throws -> ClientRun
    {
        guard let start = Int(time) else {
            throw UsageError(message: "the start time of the process is missing")
        }
        let bytes = try once(request)
        return ProcessMeter.since(nanoseconds: start).finish(requests: 1, bytes: bytes)
    }
}
