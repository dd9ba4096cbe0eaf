import Foundation
import FoundationNetworking

/// The times of the events in an exchange.
struct TransferTimes {
    /// A moment on both clocks.
    struct Start {
        let date = Date()
        let instant = MonotonicInstant.now
    }

    let startDate: Date
    let start: MonotonicInstant
    /// When the exchange last started to wait for a connection slot.
    private(set) var queued: MonotonicInstant
    /// When data is known to have moved on one of the connections that the exchange waits for.
    var othersMoved: MonotonicInstant?
    /// When the exchange first had a connection slot, or nil before that.
    private(set) var activated: MonotonicInstant?
    /// When libcurl last started to look for a connection, or to open one.
    var connecting: MonotonicInstant
    /// When data was last sent or received.
    var lastActivity: MonotonicInstant
    /// When the system last received bytes that libcurl has not reported, or nil for never.
    var lastArrival: MonotonicInstant?
    /// When the sink last consumed data.
    var lastConsumption: MonotonicInstant
    /// When the exchange was last checked for movement that nothing reports.
    private(set) var sampled: MonotonicInstant
    /// When the request was first about to be sent on the current connection.
    var connected: MonotonicInstant?
    /// When the first line of the response arrived, including interim responses.
    private(set) var firstByte: MonotonicInstant?
    /// When a line of the response's head last arrived.
    private(set) var lastHeaderLine: MonotonicInstant?
    /// The last activity before that line and the lines of the head that directly preceded it.
    private(set) var requestSent: MonotonicInstant?
    /// When the response's head was complete.
    var headCompleted: MonotonicInstant?

    init(_ start: Start = Start()) {
        startDate = start.date
        self.start = start.instant
        queued = start.instant
        connecting = start.instant
        lastActivity = start.instant
        lastConsumption = start.instant
        sampled = start.instant
    }

    /// Records that the exchange waits for a connection slot.
    mutating func noteQueued(at now: MonotonicInstant) {
        queued = now
        sampled = now
    }

    /// Records that the exchange has a connection slot.
    mutating func noteSlot(at now: MonotonicInstant) {
        activated = activated ?? now
        lastActivity = now
        sampled = now
    }

    /// Records a check for movement that nothing reports.
    ///
    /// Such movement counts as of the check that reveals it, so no timeout comes early.
    mutating func noteSample(
        hasSent: Bool = false, hasConsumed: Bool = false, at now: MonotonicInstant
    ) {
        sampled = now
        if hasSent { lastActivity = now }
        if hasConsumed { lastConsumption = now }
    }

    /// When data was last sent, received, or consumed.
    var lastMovement: MonotonicInstant { max(lastByte, lastConsumption) }

    /// When a byte was last sent or received.
    var lastByte: MonotonicInstant { max(lastActivity, lastArrival ?? lastActivity) }

    /// Moves the times that were recorded at one moment to another, except for those that metrics
    /// report.
    mutating func move(notesOf moment: MonotonicInstant, to other: MonotonicInstant) {
        if queued == moment { queued = other }
        if connecting == moment { connecting = other }
        if lastActivity == moment { lastActivity = other }
        if lastHeaderLine == moment { lastHeaderLine = other }
        if requestSent == moment { requestSent = other }
    }

    /// Records the arrival of a line of the response's head, which is activity of the server.
    mutating func noteHeaderLine(at now: MonotonicInstant) {
        if lastActivity != lastHeaderLine { requestSent = lastActivity }
        firstByte = firstByte ?? now
        lastHeaderLine = now
        lastActivity = now
    }
}
