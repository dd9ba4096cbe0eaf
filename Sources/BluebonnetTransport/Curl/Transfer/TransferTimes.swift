import Foundation
import FoundationNetworking

/// The moments of an exchange.
struct TransferTimes {
    /// A moment by both clocks.
    struct Start {
        let date = Date()
        let instant = MonotonicInstant.now
    }

    let startDate: Date
    let start: MonotonicInstant
    /// When it last began to wait for a connection slot.
    var queued: MonotonicInstant
    /// When one of those that hold what it waits for is known to have moved a byte.
    var othersMoved: MonotonicInstant?
    /// When it first had one; nil before that.
    private(set) var activated: MonotonicInstant?
    /// When libcurl last began to look for a connection, or to make one.
    var connecting: MonotonicInstant
    /// When data last came or went.
    var lastActivity: MonotonicInstant
    /// When the request was first about to be sent on the connection in use.
    var connected: MonotonicInstant?
    /// When the response began to come, interim responses included.
    private(set) var firstByte: MonotonicInstant?
    /// When a line of the response's head last came.
    private(set) var lastHeaderLine: MonotonicInstant?
    /// The last activity before that line, or before the lines that came with it.
    private(set) var requestSent: MonotonicInstant?
    /// When the response's head was whole.
    var headCompleted: MonotonicInstant?

    init(_ start: Start = Start()) {
        startDate = start.date
        self.start = start.instant
        queued = start.instant
        connecting = start.instant
        lastActivity = start.instant
    }

    /// Notes that the exchange has a connection slot.
    mutating func noteSlot(at now: MonotonicInstant) {
        activated = activated ?? now
        lastActivity = now
    }

    /// Moves what was noted at one moment to another, except for what metrics tell.
    mutating func move(notesOf moment: MonotonicInstant, to other: MonotonicInstant) {
        if queued == moment { queued = other }
        if connecting == moment { connecting = other }
        if lastActivity == moment { lastActivity = other }
        if lastHeaderLine == moment { lastHeaderLine = other }
        if requestSent == moment { requestSent = other }
    }

    /// Notes a line of the response's head, which is the server's activity.
    mutating func noteHeaderLine(at now: MonotonicInstant) {
        if lastActivity != lastHeaderLine { requestSent = lastActivity }
        firstByte = firstByte ?? now
        lastHeaderLine = now
        lastActivity = now
    }
}
