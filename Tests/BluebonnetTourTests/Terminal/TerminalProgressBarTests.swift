import Bluebonnet
import Testing

@testable import BluebonnetTour

@Suite("The terminal's progress bar", .timeLimit(.minutes(5)))
struct TerminalProgressBarTests {
    private let clock = ManualClock()
    private let recorded = RecordedTerminal()

    @Test("it draws the first update and then ten a second at most")
    func throttled() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        #expect(recorded.writes.isEmpty)
        for millisecond in 0..<1000 {
            bar.update(completed: Int64(millisecond), total: 1000)
            bar.flush()
            clock.advance(by: .milliseconds(1))
        }
        #expect(recorded.writes.count == 10)
        #expect(recorded.writes.allSatisfy { $0.hasPrefix("\rfile  ") && $0.hasSuffix("\u{1B}[K") })
        #expect(recorded.writes.last?.contains(" 90%") == true)
    }

    @Test("the end shows the last update, however recent, and begins a new line, once")
    func finished() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        bar.update(completed: 1000, total: 4000)
        clock.advance(by: .seconds(2))
        bar.update(completed: 2000, total: 4000)
        bar.update(completed: 4096, total: 4096)
        bar.finish()
        let count = recorded.writes.count
        let last = recorded.writes.last ?? ""
        #expect(last.hasPrefix("\rfile  100%  [####"))
        // All that came, by all the time that it took.
        #expect(last.hasSuffix("2.0 KiB/s  in 2.0 s\u{1B}[K\n"))
        bar.finish()
        bar.stop()
        clock.advance(by: .seconds(1))
        bar.update(completed: 1, total: 2)
        bar.flush()
        #expect(recorded.writes.count == count)
    }

    @Test("what was there before does not count for the rate")
    func resumed() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        bar.start(at: 1024)
        clock.advance(by: .seconds(1))
        bar.update(completed: 4096, total: 4096)
        bar.finish()
        #expect(recorded.writes.last?.contains("   4.0 KiB    3.0 KiB/s  ") == true)
    }

    @Test("a finished line without a total is complete")
    func finishedWithoutTotal() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        bar.update(completed: 4096, total: nil)
        bar.finish()
        #expect(recorded.writes.last?.contains("100%") == true)
        #expect(recorded.writes.last?.contains("]    4.0 KiB") == true)
    }

    @Test("a line that stops keeps what it showed, and begins a new line, once")
    func stopped() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        bar.update(completed: 1000, total: 4000)
        bar.flush()
        let drawn = recorded.writes
        bar.stop()
        #expect(recorded.writes == drawn + drawn.map { $0 + "\n" })
        bar.stop()
        bar.finish()
        #expect(recorded.writes.count == 2)
    }

    @Test("a line that stops shows the last update, however recent")
    func stoppedBetweenDraws() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        bar.update(completed: 1000, total: 4000)
        bar.flush()
        bar.update(completed: 3000, total: 4000)
        bar.stop()
        #expect(recorded.writes.last?.hasPrefix("\rfile   75%") == true)
    }

    @Test("a line that is forgotten leaves nothing behind")
    func forgotten() {
        var bar: TerminalProgressBar? = TerminalProgressBar(
            "file", terminal: recorded.terminal(), clock: clock)
        bar?.update(completed: 1, total: 2)
        bar?.flush()
        #expect(recorded.writes.count == 1)
        bar = nil
        #expect(recorded.writes.count == 2)
        #expect(recorded.writes.last == "\r\u{1B}[K")
    }

    @Test("without updates, or where nothing can be written over, it is silent")
    func silent() {
        TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock).finish()
        let bar = TerminalProgressBar(
            "file", terminal: recorded.terminal(isInteractive: false), clock: clock)
        bar.update(completed: 1, total: 2)
        bar.flush()
        bar.finish()
        bar.stop()
        #expect(recorded.writes.isEmpty)
    }

    @Test("a new width counts from the next update on")
    func resized() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        for width in [80, 30, 6] {
            recorded.width = width
            bar.update(completed: 1, total: 2)
            bar.flush()
            clock.advance(by: .milliseconds(100))
        }
        let lengths = recorded.writes.map { $0.dropFirst().dropLast(3).count }
        #expect(lengths.count == 3)
        #expect(zip(lengths, [80, 30, 6]).allSatisfy { $0 < $1 })
        #expect(recorded.writes.last == "\r 50%\u{1B}[K")
    }

    @Test("a task's progress without a total is an unknown total")
    func progress() {
        let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
        let progress = Progress(totalUnitCount: -1)
        progress.completedUnitCount = 500
        bar.update(progress)
        bar.flush()
        #expect(recorded.writes.last?.contains("%") == false)
        progress.totalUnitCount = 1000
        clock.advance(by: .seconds(1))
        bar.update(progress)
        bar.flush()
        #expect(recorded.writes.last?.contains(" 50%") == true)
    }

    @Test("threads that update while another ends the line write nothing after its end")
    func concurrent() async {
        for _ in 0..<50 {
            let recorded = RecordedTerminal()
            let clock = clock
            let bar = TerminalProgressBar("file", terminal: recorded.terminal(), clock: clock)
            bar.update(completed: 0, total: 1000)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for count in 0..<100 {
                            clock.advance(by: .milliseconds(30))
                            bar.update(completed: Int64(count), total: 1000)
                        }
                    }
                }
                group.addTask { bar.finish() }
            }
            bar.flush()
            #expect(recorded.writes.count { $0.hasSuffix("\n") } == 1)
            #expect(recorded.writes.last?.hasSuffix("\n") == true)
        }
    }
}
