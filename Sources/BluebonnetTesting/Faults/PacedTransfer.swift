import Bluebonnet

/// An exchange whose response is delayed on its way to the session.
final class PacedTransfer: Transfer {
    private let below: any Transfer
    private let front: AnsweringTransfer
    private let player: ReportPlayer
    private let watcher: EndWatchingSink

    init(
        _ exchange: Exchange, reportingTo sink: any ExchangeSink, through transport: any Transport,
        _ pace: Pace
    ) {
        exchange.takeOverWork()
        watcher = EndWatchingSink(sink)
        front = AnsweringTransfer(exchange, reportingTo: watcher) { _ in }
        player = ReportPlayer(front)
        // The exchange below still counts as work.
        below = transport.countingWork(on: exchange.clock)
            .transfer(for: exchange, reportingTo: PacingSink(player, pace))
    }

    func begin() {
        // Not earlier, because a transfer that never begins is released without an end.
        watcher.watch { [below] in below.cancel() }
        front.begin()
        if !front.isOver { below.begin() }
    }

    func cancel() {
        player.cancel()
        front.cancel()
        below.cancel()
    }

    func abort() {
        player.cancel()
        front.cancel()
        below.abort()
    }

    func suspend() {
        player.suspend()
        front.suspend()
        below.suspend()
    }

    func resume() {
        player.resume()
        front.resume()
        below.resume()
    }

    func didConsume(_ count: Int) {
        front.didConsume(count)
        below.didConsume(count)
    }

    func setPriority(_ priority: Float) { below.setPriority(priority) }
}

/// A sink that calls a closure when the exchange has ended for the session.
///
/// The exchange below can still be under way.
private final class EndWatchingSink: ExchangeSink {
    private let sink: any ExchangeSink
    private let whenOver = Locked<(@Sendable () -> Void)?>(nil)

    init(_ sink: any ExchangeSink) {
        self.sink = sink
    }

    func watch(_ whenOver: @escaping @Sendable () -> Void) {
        self.whenOver.withLock { $0 = whenOver }
    }

    func receive(_ report: consuming Exchange.Report) {
        let isEnd = report.end != nil
        sink.receive(report)
        if isEnd { whenOver.withLock { $0.take() }?() }
    }

    func gather(_ deliver: () -> Void) { sink.gather(deliver) }
}

/// A sink that converts the reports from below into steps.
private final class PacingSink: ExchangeSink {
    private struct State {
        var count = 0
        /// The pause that is still ahead.
        var pause: (after: Int, time: Duration)?
    }

    private let player: ReportPlayer
    private let pace: Pace
    private let state: Locked<State>

    init(_ player: ReportPlayer, _ pace: Pace) {
        self.player = player
        self.pace = pace
        state = Locked(State(pause: pace.pause))
    }

    func receive(_ report: consuming Exchange.Report) {
        let report = report
        player.add(state.withLock { steps(of: report, &$0) })
    }

    private func steps(
        of report: Exchange.Report, _ state: inout State
    ) -> [ReportPlayer.Step] {
        var first = report
        (first.body, first.trailers, first.end) = ([], nil, nil)
        var steps = [
            ReportPlayer.Step(delay: report.head == nil ? .zero : pace.headDelay, report: first)
        ]
        for chunk in report.body {
            for piece in pieces(of: chunk.data, &state) {
                let step = Exchange.Report(body: [Exchange.Chunk(piece)])
                steps.append(.init(delay: delay(before: piece.count, &state), report: step))
            }
        }
        let last = Exchange.Report(trailers: report.trailers, end: report.end)
        let isDue = last.end != nil || last.trailers != nil
        if isDue { steps.append(.init(delay: pauseIfDue(&state), report: last)) }
        return steps
    }

    /// Splits data into pieces, and at the pause.
    private func pieces(of data: Data, _ state: inout State) -> [Data] {
        var (pieces, rest, count) = ([Data](), data[...], state.count)
        while !rest.isEmpty {
            var size = pace.pieceSize ?? rest.count
            if let pause = state.pause, pause.after > count {
                size = min(size, pause.after - count)
            }
            let piece = rest.prefix(size)
            pieces.append(Data(piece))
            rest = rest.dropFirst(piece.count)
            count += piece.count
        }
        return pieces
    }

    private func delay(before count: Int, _ state: inout State) -> Duration {
        defer { state.count += count }
        return pace.interval + pauseIfDue(&state)
    }

    private func pauseIfDue(_ state: inout State) -> Duration {
        guard let pause = state.pause, pause.after <= state.count else { return .zero }
        state.pause = nil
        return pause.time
    }
}
