import Bluebonnet
import Foundation

/// Reads a body from the cache, removes its content codings, and reports it as fast as the caller takes
/// it.
final class BodyPump: Sendable {
    private struct State {
        /// The head, until it is reported.
        var head: Exchange.Report?
        let decoder: Exchange.BodyDecoder
        var isReading = false
        /// Whether something has changed while another thread was reading.
        var isAsked = false
        var isSuspended = false
        var isOver = false
        /// The most bytes that the caller holds, and how many it holds.
        let window: Int?
        var held = 0
        var isFull = false
        /// The number of bytes that were read.
        var readCount = 0
    }

    private let source: any BodySource
    private let front: AnsweringTransfer
    /// The end of the exchange that brings the body, once it has come.
    private let ending: @Sendable () -> Exchange.Report
    /// Called once the end is reported.
    private let whenOver: @Sendable () -> Void
    private let state: Locked<State>
    /// Small for coded bodies, of which a few bytes can become many.
    private let readSize: Int

    /// Creates a pump that has not begun.
    ///
    /// - Throws: A failure if the body has too many codings, or is too long for the exchange.
    init(
        _ head: Exchange.Head, from source: any BodySource, to front: AnsweringTransfer,
        ending: @escaping @Sendable () -> Exchange.Report,
        whenOver: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) {
        let decoder = try Exchange.BodyDecoder(head: head, exchange: front.exchange)
        let codings = decoder.codings
        readSize = codings == nil ? 65_536 : 4_096
        state = Locked(
            State(
                head: Exchange.Report(head: head, codings: codings), decoder: decoder,
                window: front.exchange.receiveWindow.map { max(1, $0) }))
        (self.source, self.front) = (source, front)
        (self.ending, self.whenOver) = (ending, whenOver)
    }

    /// Stops or allows the reading; ``pump()`` goes on with it.
    func setSuspended(_ isSuspended: Bool) { state.withLock { $0.isSuspended = isSuspended } }

    /// The number of bytes that were read, with their content codings.
    var readCount: Int { state.withLock { $0.readCount } }

    func stop() { state.withLock { $0.isOver = true } }

    func didConsume(_ count: Int) {
        let isReady = state.withLock { state in
            guard let window = state.window else { return false }
            state.held -= count
            if state.isFull, state.held <= window / 4 { state.isFull = false }
            return !state.isFull
        }
        if isReady { pump() }
    }

    /// Reads on, unless another thread does.
    func pump() {
        let begins = state.withLock { state in
            guard !state.isReading else {
                state.isAsked = true
                return false
            }
            state.isReading = true
            return true
        }
        guard begins else { return }
        repeat {
            read()
        } while state.withLock({ state in
            defer { state.isAsked = false }
            if !state.isAsked { state.isReading = false }
            return state.isAsked
        })
    }

    private func read() {
        var report = Exchange.Report()
        while let head = state.withLock({ $0.isOver ? nil : .some($0.head.take()) }) {
            if let head { report = head }
            guard state.withLock({ !$0.isSuspended && !$0.isFull }) else { break }
            do throws(Exchange.Failure) {
                let piece = try source.next(upTo: readSize) { [weak self] in self?.pump() }
                guard case .bytes(let bytes) = piece, !bytes.isEmpty else {
                    if case .later = piece { break }
                    try end()
                    let ending = ending()
                    (report.trailers, report.end) = (ending.trailers, ending.end)
                    break
                }
                report.body += try decode(bytes)
            } catch {
                let ending = ending().end
                report.end = Exchange.End(
                    failure: error, metrics: ending?.metrics ?? Exchange.Metrics(),
                    wasSent: ending?.wasSent)
                break
            }
            if report.body.count >= 4 {
                front.report(report)
                report = Exchange.Report()
            }
        }
        let isEnd = report.end != nil
        if isEnd { stop() }
        if report.head != nil || !report.body.isEmpty || isEnd { front.report(report) }
        if isEnd { whenOver() }
    }

    private func decode(_ bytes: Data) throws(Exchange.Failure) -> [Exchange.Chunk] {
        try state.withLock { state in
            Result { () throws(Exchange.Failure) in
                state.readCount += bytes.count
                let chunks = try state.decoder.decode(bytes)
                if let window = state.window {
                    state.held += chunks.reduce(0) { $0 + $1.count }
                    if state.held >= window { state.isFull = true }
                }
                return chunks
            }
        }.get()
    }

    private func end() throws(Exchange.Failure) {
        try state.withLock { state in
            Result { () throws(Exchange.Failure) in try state.decoder.finish() }
        }.get()
    }
}
