import Bluebonnet

/// A line of a terminal that shows how far a transfer is, written over again and again.
///
/// Any thread may call it; none waits for the terminal but the one that ends the line. Where
/// standard output is no terminal, or one that only prints (`TERM=dumb`), it is silent. It uses no
/// control sequences but carriage return and erase to the end of the line.
final class TerminalProgressBar: Sendable {
    fileprivate struct State {
        var completed: Int64 = 0
        var total: Int64?
        var rate = TransferRate()
        /// Bytes from an earlier attempt, which do not count for the rate.
        var start: Int64 = 0
        var hasUpdates = false
        var drawnAt: Duration?
        var isDrawing = false
        var hasEnded = false
    }

    /// Ten times a second at most.
    private static let interval = Duration.milliseconds(100)
    private static let erase = "\r\u{1B}[K"

    private let name: String
    private let terminal: Terminal
    /// Time since the start.
    private let elapsed: @Sendable () -> Duration
    private let state = Locked(State())
    /// Everything is written here, in order, and outside the lock.
    private let output = DispatchQueue(label: "bluebonnet-tour.progress")

    /// Makes a line that appears with the first update.
    init<C: Clock<Duration>>(
        _ name: String, terminal: Terminal, clock: C = ContinuousClock()
    ) {
        self.name = name
        self.terminal = terminal
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    deinit {
        // Nothing waits to be drawn, or it would hold the object.
        let isOpen = state.withLock { $0.drawnAt != nil && !$0.hasEnded }
        if isOpen { terminal.write(Self.erase) }
    }

    /// Sets the number of bytes that an earlier attempt transferred.
    func start(at bytes: Int64) {
        state.withLock { $0.start = bytes }
    }

    /// Tells how many bytes are done, and of how many if that is known.
    ///
    /// What comes after the end of the line is ignored.
    func update(completed: Int64, total: Int64?) {
        guard terminal.isInteractive else { return }
        let now = elapsed()
        let isDue = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.record(completed, total, at: now)
            guard !state.isDrawing, now - (state.drawnAt ?? now - Self.interval) >= Self.interval
            else { return false }
            state.isDrawing = true
            return true
        }
        if isDue { output.async { self.draw() } }
    }

    /// The same for a task's progress, whose units are bytes.
    func update(_ progress: Progress) {
        let total = progress.totalUnitCount
        update(completed: progress.completedUnitCount, total: total > 0 ? total : nil)
    }

    /// Completes the line with what was told last, and goes to the next one.
    ///
    /// Returns when that is written, so that what the caller prints comes after it.
    func finish() {
        end { frame($0, at: elapsed(), isFinished: true) + "\n" }
    }

    /// Leaves the line as far as it got, for a transfer that failed, and goes to the next one.
    ///
    /// Returns when that is written.
    func stop() {
        end { frame($0, at: elapsed(), isFinished: false) + "\n" }
    }

    /// Waits until the updates so far are drawn, as far as they are to be.
    func flush() {
        output.sync {}
    }

    private func draw() {
        let now = elapsed()
        let current: State? = state.withLock { state in
            state.isDrawing = false
            guard !state.hasEnded else { return nil }
            state.drawnAt = now
            return state
        }
        if let current { terminal.write(frame(current, at: now, isFinished: false)) }
    }

    /// Writes the last there is, once, if there was anything to tell.
    private func end(with last: (State) -> String) {
        output.sync {
            let current: State? = state.withLock { state in
                guard !state.hasEnded else { return nil }
                state.hasEnded = true
                return state.hasUpdates ? state : nil
            }
            if let text = current.map(last) { terminal.write(text) }
        }
    }

    private func frame(_ state: State, at now: Duration, isFinished: Bool) -> String {
        let rate =
            isFinished ? state.meanRate(at: now) : state.rate.bytesPerSecond(at: now)
        let text = ProgressLineText(
            name: name,
            completed: state.completed,
            total: state.total ?? (isFinished ? state.completed : nil),
            bytesPerSecond: rate,
            elapsed: now,
            isFinished: isFinished)
        let line = text.text(width: terminal.width(), usesUTF8: terminal.usesUTF8)
        return "\r\(line)\u{1B}[K"
    }
}

extension TerminalProgressBar.State {
    fileprivate mutating func record(_ completed: Int64, _ total: Int64?, at time: Duration) {
        self.completed = completed
        self.total = total
        hasUpdates = true
        rate.record(bytes: completed, at: time)
    }

    /// The rate since the line was made; nil without bytes.
    fileprivate func meanRate(at time: Duration) -> Double? {
        guard time > .zero, completed > start else { return nil }
        return (Double(completed) - Double(start)) / (time / .seconds(1))
    }
}
