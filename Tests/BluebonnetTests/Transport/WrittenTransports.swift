import Bluebonnet
import Foundation
import Synchronization

// Transports as users write them.
// `scripts/check names` builds this file in a separate package, which sees only public names.

/// Answers every request in the same way.
struct HelloTransport: Transport {
    func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
        AnsweringTransfer(exchange, reportingTo: sink) { transfer in
            transfer.reply(
                200, fields: [Exchange.Field(name: "Content-Type", value: "application/json")],
                body: Data(#"{"path":"\#(exchange.url)"}"#.utf8))
        }
    }
}

/// Counts the ended exchanges and the failed ones.
final class CountingTransport: Transport {
    let base: any Transport
    let ended = Atomic(0)
    let failed = Atomic(0)

    init(_ base: any Transport) { self.base = base }

    func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
        base.transfer(for: exchange, reportingTo: sink) { [self] report in
            guard let end = report.end else { return }
            ended.add(1, ordering: .relaxed)
            if end.failure != nil { failed.add(1, ordering: .relaxed) }
        }
    }
}

/// The recording of an exchange.
struct Recording: Sendable {
    var url: String
    var statusCode = 0
    var fields: [Exchange.Field] = []
    var body = Data()
}

/// Records each successful exchange.
struct RecordingTransport: Transport {
    let base: any Transport
    let recorded: @Sendable (Recording) -> Void

    func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
        base.transfer(
            for: exchange, reportingTo: sink, state: Recording(url: exchange.url)
        ) { recording, report in
            if let head = report.head {
                (recording.statusCode, recording.fields) = (head.statusCode, head.fields)
            }
            for chunk in report.body { recording.body.append(chunk.data) }
            if let end = report.end, end.failure == nil { recorded(recording) }
        }
    }
}

/// Answers with recordings.
struct ReplayingTransport: Transport {
    let recordings: [String: Recording]

    func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
        AnsweringTransfer(exchange, reportingTo: sink) { [recordings] transfer in
            guard let recording = recordings[exchange.url] else {
                return transfer.fail(
                    Exchange.Failure(
                        .resourceUnavailable, message: "\(exchange.url) is not recorded"))
            }
            transfer.reply(recording.statusCode, fields: recording.fields, body: recording.body)
        }
    }
}

/// Loses the connection after this many bytes of each response body.
struct FailingTransport: Transport {
    let base: any Transport
    let byteCount: Int

    func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
        base.transfer(for: exchange, reportingTo: sink, state: byteCount) { left, report in
            left -= report.body.reduce(0) { $0 + $1.count }
            guard left < 0 else { return }
            report.end = Exchange.End(
                failure: Exchange.Failure(
                    .networkConnectionLost, message: "the connection was lost"))
        }
    }
}
