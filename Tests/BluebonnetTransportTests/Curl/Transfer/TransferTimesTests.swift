import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("The times of an exchange")
struct TransferTimesTests {
    private let timeouts = Exchange.Timeouts(connect: 1, head: 3, idle: 5, whole: 20, queue: 2)
    private var times = TransferTimes()

    private func after(_ seconds: Double) -> MonotonicInstant {
        times.start.advanced(by: seconds)
    }

    private func struck(
        at seconds: Double, _ wait: TransferTimes.Wait, _ timeouts: Exchange.Timeouts? = nil
    ) -> Exchange.Failure.Timeout? {
        times.timeout(at: after(seconds), timeouts ?? self.timeouts, waitingFor: wait)
    }

    @Test("the awaited event determines which timeouts run, and the whole one always does")
    func waits() {
        #expect(struck(at: 1.9, .slot) == nil)
        #expect(struck(at: 2, .slot) == .queue)
        #expect(struck(at: 2.9, .head) == nil)
        #expect(struck(at: 3, .head) == .head)
        #expect(struck(at: 4.9, .data) == nil)
        #expect(struck(at: 5, .data) == .idle)
        #expect(struck(at: 19.9, .nothing) == nil)
        for wait in [TransferTimes.Wait.slot, .head, .data, .nothing] {
            #expect(struck(at: 20, wait) == .whole)
            #expect(struck(at: 1_000_000, wait, Exchange.Timeouts()) == nil)
        }
    }

    @Test("the next deadline is the earliest of the running ones, and nil without timeouts")
    func nextDeadline() {
        let expected: [(TransferTimes.Wait, Double)] = [
            (.slot, 2), (.head, 3), (.data, 5), (.nothing, 20),
        ]
        for (wait, seconds) in expected {
            #expect(times.nextDeadline(timeouts, waitingFor: wait) == after(seconds))
            #expect(times.nextDeadline(Exchange.Timeouts(), waitingFor: wait) == nil)
        }
    }

    @Test("activity during a blocked turn counts from its end, and older activity does not")
    mutating func standstill() {
        times.lastActivity = after(1)
        times.move(notesOf: after(0.5), to: after(9))
        #expect(struck(at: 6, .data) == .idle)
        times.move(notesOf: after(1), to: after(9))
        #expect(struck(at: 13.9, .data) == nil && struck(at: 14, .data) == .idle)
        times.noteHeaderLine(at: after(10))
        times.move(notesOf: after(10), to: after(12))
        // Lines of the head do not prolong the wait for it, even after a blocked turn.
        #expect(struck(at: 11.9, .head) == nil && struck(at: 12, .head) == .head)
    }

    @Test(
        "activity prolongs the idle timeout, and lines of the head do not prolong its wait")
    mutating func activity() {
        times.lastActivity = after(1)
        #expect(struck(at: 3.9, .head) == nil)
        times.noteHeaderLine(at: after(3))
        times.noteHeaderLine(at: after(3.5))
        #expect(struck(at: 3.9, .head) == nil)
        #expect(struck(at: 4, .head) == .head)
        #expect(struck(at: 8.4, .data) == nil)
        #expect(struck(at: 8.5, .data) == .idle)
    }

    @Test("data sent between two lines of the head restarts the wait for it")
    mutating func betweenLines() {
        times.noteHeaderLine(at: after(1))
        times.lastActivity = after(2)
        #expect(struck(at: 4.9, .head) == nil)
        times.noteHeaderLine(at: after(4))
        #expect(struck(at: 4.9, .head) == nil)
        #expect(struck(at: 5, .head) == .head)
    }

    @Test("a second wait for a slot restarts the timeout, and only the first slot is recorded")
    mutating func slots() {
        times.noteQueued(at: after(10))
        #expect(struck(at: 11.9, .slot) == nil)
        #expect(struck(at: 12, .slot) == .queue)
        times.noteSlot(at: after(12))
        times.noteSlot(at: after(13))
        #expect(times.activated == after(12))
        #expect(times.lastActivity == after(13))
    }

    @Test(
        "the failure names the timeout, its length and a solution",
        arguments: [
            (Exchange.Failure.Timeout.queue, "2.0 seconds; allow the pool more connections"),
            (.head, "3.0 seconds after the request"), (.idle, "received for 5.0 seconds"),
            (.whole, "longer than 20.0 seconds"),
        ])
    func failure(timeout: Exchange.Failure.Timeout, text: String) {
        let failure = Exchange.Failure.timedOut(timeout, of: timeouts, after: 2)
        #expect(failure.code == .timedOut && failure.timeout == timeout)
        #expect(failure.message.contains(text), "\(failure.message)")
    }

    @Test(
        "a failure that comes late names the time that has passed",
        arguments: [(5.0, "5.0"), (5.54, "5.0"), (5.56, "5.6"), (10.04, "10.0")])
    func late(passed: Double, text: String) {
        let failure = Exchange.Failure.timedOut(.idle, of: timeouts, after: passed)
        #expect(failure.message == "no data was sent or received for \(text) seconds")
    }

    @Test("bytes of unfinished lines extend the idle timeout, but not the wait for the head")
    mutating func arrivals() {
        times.lastActivity = after(1)
        times.lastArrival = after(3.5)
        #expect(struck(at: 4, .head) == .head)
        #expect(struck(at: 8.4, .data) == nil && struck(at: 8.5, .data) == .idle)
        #expect(times.lastMovement == after(3.5))
        times.lastActivity = after(5)
        #expect(struck(at: 9.9, .data) == nil && struck(at: 10, .data) == .idle)
    }

    @Test("movement that nothing reports is looked for twenty times during a timeout")
    mutating func samples() {
        #expect(times.nextSample(timeouts, waitingFor: .data) == after(0.25))
        #expect(times.nextSample(timeouts, waitingFor: .head) == after(0.15))
        #expect(times.nextSample(Exchange.Timeouts(idle: 5), waitingFor: .head) == after(0.25))
        #expect(times.nextSample(Exchange.Timeouts(queueStall: 4), waitingFor: .slot) == after(0.2))
        #expect(times.nextSample(timeouts, waitingFor: .slot) == nil)
        #expect(times.nextSample(timeouts, waitingFor: .nothing) == nil)
        times.noteSample(at: after(1))
        #expect(times.nextSample(timeouts, waitingFor: .data) == after(1.25))
        times.noteSlot(at: after(2))
        #expect(times.nextSample(timeouts, waitingFor: .data) == after(2.25))
    }

    @Test("unreported movement counts as of the sample that reveals it, and only data is activity")
    mutating func movement() {
        times.noteSample(hasSent: true, at: after(1))
        #expect(struck(at: 5.9, .data) == nil && struck(at: 6, .data) == .idle)
        times.noteSample(hasConsumed: true, at: after(2))
        #expect(struck(at: 6, .data) == .idle)
        #expect(times.lastMovement == after(2))
        times.noteSample(at: after(3))
        #expect(times.lastMovement == after(2))
    }
}
