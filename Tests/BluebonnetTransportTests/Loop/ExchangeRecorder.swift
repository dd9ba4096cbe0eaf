import BluebonnetTransport
import Foundation

/// A sink that keeps every report and lets a test wait for the end.
final class ExchangeRecorder: ExchangeSink {
    struct Record {
        var head: Exchange.Head?
        var body = Data()
        var ends: [Exchange.End] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(Record())

    func receive(_ report: Exchange.Report) {
        let ready = state.withLock { record in
            if let head = report.head { record.head = head }
            for chunk in report.body { record.body.append(chunk.data) }
            guard let end = report.end else { return [CheckedContinuation<Void, Never>]() }
            record.ends.append(end)
            defer { record.waiting = [] }
            return record.waiting
        }
        for continuation in ready { continuation.resume() }
    }

    /// What was recorded once the exchange has ended.
    var atEnd: Record {
        get async {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { record in
                    if record.ends.isEmpty { record.waiting.append(continuation) }
                    return !record.ends.isEmpty
                }
                if isOver { continuation.resume() }
            }
            return state.withLock { $0 }
        }
    }
}

extension CurlTransport {
    /// Performs one exchange and returns what its sink heard.
    func perform(_ exchange: Exchange) async -> ExchangeRecorder.Record {
        let recorder = ExchangeRecorder()
        _ = start(exchange, sink: recorder)
        return await recorder.atEnd
    }
}
