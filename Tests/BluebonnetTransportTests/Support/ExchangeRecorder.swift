import BluebonnetTransport
import Foundation

/// A sink that keeps every report, and lets a test wait for conditions.
final class ExchangeRecorder: ExchangeSink {
    /// The reports of an exchange so far.
    struct Record {
        var head: Exchange.Head?
        var headCount = 0
        var codings: Exchange.ContentCodings?
        var trailers: [Exchange.Field]?
        var trailerCount = 0
        /// The size of the body when the trailers arrived.
        var byteCountAtTrailers = 0
        var body = Data()
        var byteCount = 0
        var ends: [Exchange.End] = []
        var sentCounts: [Int64] = []
        /// Whether a report came after the end.
        var wentOn = false

        /// The first end's failure.
        var failure: Exchange.Failure? { ends.first?.failure }
    }

    private struct Waiting {
        var condition: @Sendable (Record) -> Bool
        var continuation: CheckedContinuation<Record, Never>
    }

    private struct State {
        var record = Record()
        var waiting: [Waiting] = []
        var keepsBody = true
        var byteCount = 0
    }

    /// The limit of the kept body, because an endless body outruns a test that waits for a thread.
    private static let largestBody = 100_000_000

    private let state: Locked<State>
    private let gate: DispatchSemaphore?

    /// Creates a recorder.
    ///
    /// If there is a gate, the first report of a body blocks the loop until it is opened.
    init(keepsBody: Bool = true, gate: DispatchSemaphore? = nil) {
        state = Locked(State(keepsBody: keepsBody))
        self.gate = gate
    }

    func receive(_ report: Exchange.Report) {
        let (isFirst, ready) = state.withLock { state in
            let before = state.byteCount
            state.record.wentOn = state.record.wentOn || !state.record.ends.isEmpty
            if let head = report.head {
                state.record.head = head
                state.record.headCount += 1
            }
            if let codings = report.codings { state.record.codings = codings }
            if let count = report.sentBodyBytes { state.record.sentCounts.append(count) }
            for chunk in report.body {
                state.byteCount += chunk.count
                state.record.byteCount += chunk.count
                if state.keepsBody, state.byteCount <= Self.largestBody {
                    state.record.body.append(chunk.data)
                }
            }
            if let trailers = report.trailers {
                state.record.trailers = trailers
                state.record.trailerCount += 1
                state.record.byteCountAtTrailers = state.record.byteCount
            }
            if let end = report.end { state.record.ends.append(end) }
            let record = state.record
            let ready = state.waiting.filter { $0.condition(record) }
            state.waiting.removeAll { $0.condition(record) }
            let isFirst = before == 0 && state.byteCount > 0
            return (isFirst, ready.map { ($0.continuation, record) })
        }
        for (continuation, record) in ready { continuation.resume(returning: record) }
        if isFirst { gate?.wait() }
    }

    /// The current record.
    var now: Record { state.withLock { $0.record } }

    /// The number of received body bytes, kept or not.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Waits for a condition, which can already hold, and returns the record at that time.
    func when(_ condition: @escaping @Sendable (Record) -> Bool) async -> Record {
        let record = await withCheckedContinuation { continuation in
            let record = state.withLock { state -> Record? in
                if condition(state.record) { return state.record }
                state.waiting.append(Waiting(condition: condition, continuation: continuation))
                return nil
            }
            if let record { continuation.resume(returning: record) }
        }
        // The lock shows the order to the thread sanitizer, which misses early resumed
        // continuations.
        return state.withLock { _ in record }
    }

    /// The record after the end of the exchange.
    var atEnd: Record {
        get async { await when { !$0.ends.isEmpty } }
    }
}

extension CurlTransport {
    /// Performs an exchange and returns the record of its sink.
    func perform(_ exchange: Exchange) async -> ExchangeRecorder.Record {
        let recorder = ExchangeRecorder()
        _ = start(exchange, reportingTo: recorder)
        return await recorder.atEnd
    }

    /// Starts an exchange with its own recorder.
    func begin(_ exchange: Exchange) -> (recorder: ExchangeRecorder, transfer: any Transfer) {
        let recorder = ExchangeRecorder()
        return (recorder, start(exchange, reportingTo: recorder))
    }
}
