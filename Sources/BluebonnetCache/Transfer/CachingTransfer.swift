import Bluebonnet
import Foundation

/// A caller's exchange, which is answered from the cache or by a ``Flight``.
final class CachingTransfer: Transfer {
    private struct State {
        var hasBegun = false
        var isCancelled = false
        var isSuspended = false
        var priority: Float?
        /// The exchange with the server that the caller waits for.
        var flight: Flight?
        /// What reads the body from the cache.
        var pump: BodyPump?
        /// Called once the caller needs no exchange with the server any more.
        var release: (@Sendable () -> Void)?
        /// Whether the store did not have the body of a response that it has found.
        var hasLostBody = false
        /// How the request was answered, until that is counted.
        var outcome: CacheRecord.Answer?
        /// The transfer itself, from its begin to its end, because its owner need not keep it.
        var own: CachingTransfer?
    }

    let request: RequestRules
    let key: CacheKey
    let sink: any ExchangeSink
    let clock: any SessionClock
    /// The clock, if it counts work.
    let observer: (any WorkObservingClock)?
    private let core: CacheCore
    private let front: AnsweringTransfer
    private let state = Locked(State())

    init(
        _ exchange: Exchange, _ request: RequestRules, key: CacheKey, in core: CacheCore,
        reportingTo sink: any ExchangeSink
    ) {
        (self.request, self.key, self.core, self.sink) = (request, key, core, sink)
        clock = exchange.clock
        observer = clock.observer
        front = AnsweringTransfer(exchange, reportingTo: sink) { _ in }
        // It can wait for another caller's exchange, and that one for the clock.
        exchange.takeOverWork()
    }

    var exchange: Exchange { front.exchange }
    var isOver: Bool { front.isOver }

    // MARK: Control

    func begin() {
        front.begin()
        let begins = state.withLock { state in
            guard !state.isCancelled, !state.hasBegun.replace(with: true) else { return false }
            state.own = self
            return true
        }
        if begins { core.answer(self) }
    }

    func cancel() { cancel(aborts: false) }
    func abort() { cancel(aborts: true) }

    private func cancel(aborts: Bool) {
        let (flight, pump, own) = state.withLock { state in
            state.isCancelled = true
            return (state.flight.take(), state.pump, state.own.take())
        }
        pump?.stop()
        front.cancel()
        count()
        flight?.leave(self, aborts: aborts)
        release()
        withExtendedLifetime(own) {}
    }

    func suspend() {
        let flight = state.withLock { state in
            state.isSuspended = true
            state.pump?.setSuspended(true)
            return state.flight
        }
        front.suspend()
        flight?.suspend()
    }

    func resume() {
        let (flight, pump) = state.withLock { state in
            state.isSuspended = false
            state.pump?.setSuspended(false)
            return (state.flight, state.pump)
        }
        front.resume()
        flight?.resume()
        pump?.pump()
    }

    func didConsume(_ count: Int) {
        let pump = state.withLock { $0.pump }
        front.didConsume(count)
        pump?.didConsume(count)
    }

    func setPriority(_ priority: Float) {
        let flight = state.withLock { state in
            state.priority = priority
            return state.flight
        }
        flight?.setPriority(priority)
    }

    var priority: Float? { state.withLock { $0.priority } }
    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    var hasLostBody: Bool { state.withLock { $0.hasLostBody } }
    func noteLostBody() { state.withLock { $0.hasLostBody = true } }

    // MARK: Waiting for an exchange

    /// Notes the flight, and returns false if the caller has left.
    func wait(for flight: Flight) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.flight = flight
            return true
        }
    }

    /// Sets what is called once the caller needs no exchange any more.
    func onRelease(_ release: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isCancelled { state.release = release }
            return state.isCancelled
        }
        if isOver { release() }
    }

    func release() { state.withLock { $0.release.take() }?() }

    // MARK: Answers

    func fail(
        _ failure: Exchange.Failure, wasSent: Bool? = nil, metrics: Exchange.Metrics = .init()
    ) {
        end(
            with: Exchange.Report(
                end: Exchange.End(failure: failure, metrics: metrics, wasSent: wasSent)))
    }

    /// Answers with a whole response or failure.
    func end(with report: Exchange.Report) {
        front.report(report)
        forgetFlight()
    }

    /// Answers with a head alone.
    private func reply(_ statusCode: Int, _ fields: [Exchange.Field]) {
        front.reply(statusCode, fields: fields)
        forgetFlight()
    }

    /// The body of an answer.
    enum Body {
        case stored(CachedBody)
        case arriving(SharedBody, SharedBody.Reader)
    }

    /// Answers with a response of the cache; without fields, with those that are stored.
    func answer(
        with response: StoredResponse, fields: [Exchange.Field]? = nil, _ body: Body,
        age: TimeInterval?, status: CacheStatus
    ) {
        if case .stored = body {
            note(status, isStored: true, of: response.host)
        } else {
            note(status, of: response.host)
        }
        var added = [Exchange.Field(name: "Cache-Status", value: status.description)]
        if let age {
            added.append(Exchange.Field(name: "Age", value: String(Int64(clamping: age))))
        }
        let whole = fields.map { Exchange.Head(statusCode: response.statusCode, fields: $0) }
        let head = (whole ?? response.head).adding(added)
        // Once, because each access copies it.
        let exchange = exchange
        if response.statusCode == 200 {
            if request.hasCondition, Conditions(exchange.fields).areMet(by: response) {
                return reply(304, Conditions.fieldsOfNotModified(head.fields))
            }
            // A part of a coded body cannot be decoded.
            let isDecoded = exchange.decodesContent && head["Content-Encoding"] != nil
            if let range = request.range, case .stored(let body) = body, !isDecoded,
                response.meetsRangeCondition(exchange.fields)
            {
                var fields = head.fields
                switch ByteRange(range, ofBodyWith: body.count) {
                case .part(let part):
                    fields.replace("Content-Length", with: "\(part.count)")
                    fields.replace(
                        "Content-Range",
                        with: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(body.count)")
                    return answer(
                        Exchange.Head(statusCode: 206, fields: fields), from: body.source(part))
                case .unsatisfiable:
                    fields.replace("Content-Length", with: "0")
                    fields.replace("Content-Range", with: "bytes */\(body.count)")
                    return reply(416, fields)
                case .other: break
                }
            }
        }
        guard !request.isHead else { return finish(head, []) }
        switch body {
        case .stored(let body):
            // Most bodies are small and not encoded, and most callers take them as a whole.
            if let data = body.data, data.count <= exchange.receiveWindow ?? .max,
                data.count <= min(exchange.limits.bodySize, exchange.limits.encodedBodySize),
                head["Content-Encoding"] == nil
            {
                return finish(head, data.isEmpty ? [] : [Exchange.Chunk(data)])
            }
            answer(head, from: body.source(0..<body.count))
        case .arriving(let body, let reader):
            answer(head, from: reader, ending: { body.ending })
        }
    }

    /// Answers with a response that is not stored.
    func answer(
        _ head: Exchange.Head, from reader: SharedBody.Reader, of body: SharedBody,
        status: CacheStatus
    ) {
        note(status, of: key.host)
        answer(head.adding(status), from: reader, ending: { body.ending })
    }

    private func finish(_ head: Exchange.Head, _ body: [Exchange.Chunk]) {
        front.report(Exchange.Report(head: head, body: body, end: Exchange.End()))
        forgetFlight(readByteCount: body.first?.count ?? 0)
    }

    private func answer(
        _ head: Exchange.Head, from source: any BodySource,
        ending: @escaping @Sendable () -> Exchange.Report = { Exchange.Report(end: Exchange.End()) }
    ) {
        do throws(Exchange.Failure) {
            let pump = try BodyPump(head, from: source, to: front, ending: ending) {
                [weak self] in self?.forgetFlight()
            }
            let isCancelled = state.withLock { state in
                guard !state.isCancelled else { return true }
                pump.setSuspended(state.isSuspended)
                state.pump = pump
                return false
            }
            guard !isCancelled else { return }
            pump.pump()
            release()
        } catch {
            fail(error)
        }
    }

    /// Leaves the flight once the answer is delivered.
    private func forgetFlight(readByteCount: Int = 0) {
        count(readByteCount)
        let (flight, own) = state.withLock { ($0.flight.take(), $0.own.take()) }
        flight?.leave(self)
        release()
        withExtendedLifetime(own) {}
    }

    // MARK: Statistics

    private func note(_ status: CacheStatus, isStored: Bool = false, of host: String) {
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.outcome = CacheRecord.Answer(status: status, isStored: isStored, host: host)
        }
    }

    /// Counts the answer, once.
    private func count(_ readByteCount: Int = 0) {
        let (answer, pump) = state.withLock { ($0.outcome.take(), $0.pump.take()) }
        guard let answer else { return }
        core.record.count(
            answer, exchange.url, readByteCount: pump?.readCount ?? readByteCount)
    }
}

extension [Exchange.Field] {
    /// Sets the only field with a name.
    fileprivate mutating func replace(_ name: String, with value: String) {
        removeAll { $0.name.equalsIgnoringCase(name) }
        append(Exchange.Field(name: name, value: value))
    }
}

extension Bool {
    mutating func replace(with value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}
