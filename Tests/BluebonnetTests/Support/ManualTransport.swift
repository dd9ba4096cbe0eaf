import BluebonnetTransport
import Foundation
import FoundationNetworking

/// A transport whose exchanges the test controls.
final class ManualTransport: Transport {
    typealias Answer = @Sendable (ManualTransfer) -> Void

    private let started = Recorder<ManualTransfer>()
    private let answer: Answer?

    /// Creates a transport that calls `answer` within `begin()`.
    init(answer: Answer? = nil) {
        self.answer = answer
    }

    func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        // The test's actions are not work of the library.
        exchange.takeOverWork()
        return ManualTransfer(exchange, sink) { [self] transfer in
            answer?(transfer)
            started.add(transfer)
        }
    }

    var exchanges: [ManualTransfer] { started.all }

    /// Waits for the exchange with this number, counted from 0, and returns it.
    func exchange(_ number: Int = 0) async -> ManualTransfer {
        await started.wait(for: number + 1)[number]
    }
}

/// An exchange of the stub.
final class ManualTransfer: Transfer {
    final class Counter: Sendable {
        private let count = Locked(0)

        var value: Int { count.withLock { $0 } }
        func add(_ more: Int) { count.withLock { $0 += more } }
    }

    enum Call: Sendable, Equatable { case suspend, resume, cancel, didConsume(Int) }

    let exchange: Exchange
    let calls = Recorder<Call>()
    /// The number of sent body bytes.
    let sentCount = Counter()
    /// Whether a cancel came before its end.
    let wasCutOff = Locked(false)
    /// Called once at the next resume.
    let whenResumed = Locked<(@Sendable () -> Void)?>(nil)
    /// Called once at the next consumption of body bytes.
    let whenConsumed = Locked<(@Sendable () -> Void)?>(nil)
    private let sink: Locked<(any ExchangeSink)?>
    /// Released after its call, because the stub keeps its transfers.
    private let answer: Locked<ManualTransport.Answer?>

    init(_ exchange: Exchange, _ sink: any ExchangeSink, _ answer: @escaping ManualTransport.Answer)
    {
        var kept = exchange
        // It would keep the manager alive, because the stub keeps its transfers.
        kept.willCacheResponse = nil
        self.exchange = kept
        self.sink = Locked(CountingSink(sink, sentCount))
        self.answer = Locked(answer)
    }

    func begin() { answer.withLock { $0.take() }?(self) }

    func suspend() { calls.add(.suspend) }
    func resume() {
        calls.add(.resume)
        whenResumed.withLock { $0.take() }?()
    }
    func didConsume(_ count: Int) {
        calls.add(.didConsume(count))
        whenConsumed.withLock { $0.take() }?()
    }
    func cancel() {
        if sink.withLock({ $0 != nil }) { wasCutOff.withLock { $0 = true } }
        calls.add(.cancel)
        fail(.cancelled)
    }

    /// The calls without those of `didConsume`.
    var controls: [Call] {
        calls.all.filter { if case .didConsume = $0 { false } else { true } }
    }

    func value(of name: String) -> String? {
        exchange.fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Delivers a head and pieces of a body, without an end.
    func respond(_ status: Int = 200, _ headers: [String: String] = [:], _ pieces: [String] = []) {
        let fields = headers.map { Exchange.Field(name: $0.key, value: $0.value) }
        sink.withLock { $0 }?.receive(
            Exchange.Report(
                head: Exchange.Head(statusCode: status, fields: fields),
                body: pieces.map { Exchange.Chunk(Data($0.utf8)) }
            )
        )
    }

    /// Delivers more pieces of the body.
    func send(_ pieces: [String]) {
        sink.withLock { $0 }?.receive(
            Exchange.Report(body: pieces.map { Exchange.Chunk(Data($0.utf8)) })
        )
    }

    /// Delivers a whole response in one report, so that nothing can happen between its parts.
    func replyAtOnce(_ status: Int, _ headers: [String: String], _ body: String) {
        let fields = headers.map { Exchange.Field(name: $0.key, value: $0.value) }
        let sink = sink.withLock { sink in
            defer { sink = nil }
            return sink
        }
        sink?.receive(
            Exchange.Report(
                head: Exchange.Head(statusCode: status, fields: fields),
                body: [Exchange.Chunk(Data(body.utf8))],
                end: Exchange.End()
            )
        )
    }

    /// Delivers more of the body.
    func send(_ bytes: [UInt8]) { report(.init(body: [Exchange.Chunk(Data(bytes))])) }

    /// Reports that this many bytes of the request's body were sent.
    func sent(_ count: Int64) { report(.init(sentBodyBytes: count)) }

    /// Reads the request's body as a transport does, and fails if it cannot be read.
    func readBody(upTo count: Int = 1 << 16) -> [UInt8]? {
        do throws(Exchange.Failure) {
            return try exchange.body.map { body throws(Exchange.Failure) in try body.bytes(count) }
        } catch {
            fail(error)
            return nil
        }
    }

    func report(_ report: Exchange.Report) {
        let sink = sink.withLock { sink in
            defer { if report.end != nil { sink = nil } }
            return sink
        }
        sink?.receive(report)
    }

    func end() { end(nil) }

    func end(metrics: Exchange.Metrics) {
        takeSink()?.receive(Exchange.Report(end: Exchange.End(metrics: metrics)))
    }

    func fail(_ failure: Exchange.Failure) { end(failure) }

    func reply(
        _ status: Int = 200,
        _ headers: [String: String] = ["Content-Type": "application/json"],
        _ body: String = #"{"a":1}"#
    ) {
        respond(status, headers, body.isEmpty ? [] : [body])
        end()
    }

    func redirect(
        _ status: Int = 302, to location: String, _ headers: [(String, String)] = [],
        body: String = "moved"
    ) {
        replyAtOnce(status, [("Location", location)] + headers, body)
    }

    func challenge(_ values: String...) {
        replyAtOnce(401, values.map { ("WWW-Authenticate", $0) }, "who?")
    }

    /// Delivers a whole response in one report, as the transport does with small ones.
    func replyAtOnce(_ status: Int, _ headers: [(String, String)], _ body: String = "") {
        let fields = headers.map { Exchange.Field(name: $0.0, value: $0.1) }
        takeSink()?.receive(
            Exchange.Report(
                head: Exchange.Head(statusCode: status, fields: fields),
                body: body.isEmpty ? [] : [Exchange.Chunk(Data(body.utf8))],
                end: Exchange.End(failure: nil)
            )
        )
    }

    /// The request's body, read as the transport would, or nil if there is none.
    var bodyText: String? {
        switch exchange.body {
        case nil: return nil
        case .data(let data): return String(decoding: data, as: UTF8.self)
        case .stream(let stream):
            guard let source = try? stream.open() else { return "unreadable" }
            var data = Data()
            while let piece = try? source.read(upTo: 1000), !piece.isEmpty { data += piece }
            return String(decoding: data, as: UTF8.self)
        }
    }

    private func end(_ failure: Exchange.Failure?) {
        takeSink()?.receive(Exchange.Report(end: Exchange.End(failure: failure)))
    }

    private func takeSink() -> (any ExchangeSink)? {
        sink.withLock { sink in
            defer { sink = nil }
            return sink
        }
    }
}

extension Exchange.Body {
    fileprivate func bytes(_ count: Int) throws(Exchange.Failure) -> [UInt8] {
        switch self {
        case .data(let data): return [UInt8](data)
        case .stream(let stream):
            let source = try stream.open()
            var bytes: [UInt8] = []
            while true {
                let piece = try source.read(upTo: count)
                guard !piece.isEmpty else { return bytes }
                bytes += piece
            }
        }
    }
}

/// Counts the bytes of the bodies that pass.
private final class CountingSink: ExchangeSink {
    private let sink: any ExchangeSink
    private let counter: ManualTransfer.Counter

    init(_ sink: any ExchangeSink, _ counter: ManualTransfer.Counter) {
        (self.sink, self.counter) = (sink, counter)
    }

    func receive(_ report: consuming Exchange.Report) {
        let count = report.body.reduce(0) { $0 + $1.count }
        counter.add(count)
        sink.receive(report)
    }
}

extension Exchange.Failure {
    static let lost = Exchange.Failure(.networkConnectionLost, message: "the stub lost it")
}
