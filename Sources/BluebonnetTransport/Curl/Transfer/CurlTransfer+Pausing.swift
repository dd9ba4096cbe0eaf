import CBluebonnet

// Pauses of an exchange: it is suspended, its sink has no room, or its body has nothing to send
// yet.
extension CurlTransfer {
    /// Records that libcurl is paused in a direction.
    func pause(_ direction: Int32) {
        pauses.directions |= direction
        loop.mayHoldSockets = true
    }

    func setSuspended(_ isSuspended: Bool) {
        guard pauses.isSuspended != isSuspended else { return }
        pauses.isSuspended = isSuspended
        guard isSuspended else {
            times.noteQueued(at: loop.now)
            loop.unmute(self)
            return flowAgain()
        }
        guard stage == .active, let handle else { return }
        // If libcurl reads on in pauses, it is not paused before the head. Instead, the loop
        // withholds incoming data, except for what libcurl reads when its own timer fires.
        guard response.hasHead || !LibcurlQuirks.current.readsOnInPauses else {
            return loop.mute(self)
        }
        let former = pauses.directions
        // Before the call, during which libcurl stops watching the socket.
        pause(bb_pause_both)
        // libcurl refuses this without a connection. The callbacks then pause the exchange later.
        if curl_easy_pause(handle.easy, bb_pause_both) != CURLE_OK { pauses.directions = former }
    }

    /// Continues as far as possible, because the exchange was resumed or has more to receive or
    /// send.
    func flowAgain() {
        if mayReceive, response.isDecoding { loop.continueDecoding(self) }
        // First, or the deadline would not include the timeouts that stop while libcurl is paused.
        unpauseIfPossible()
        restartIdleTime()
    }

    /// Restarts the idle timeout, which did not run.
    func restartIdleTime() {
        times.lastActivity = loop.now
        loop.noteDeadline(of: self)
    }

    /// Whether the sink can receive more.
    ///
    /// If not, the loop is notified once it can.
    var mayReceive: Bool { !pauses.isSuspended && window.hasRoom() }

    func unpauseIfPossible() {
        guard stage == .active, pauses.isAny, !pauses.isSuspended, let handle else { return }
        var directions: Int32 = 0
        if response.isDecoding || !mayReceive {
            directions = pauses.directions & bb_pause_receiving
        }
        guard directions != pauses.directions,
            directions == 0 || readAhead?.mustStopSending != true
        else { return }
        pauses.directions = directions
        if directions != 0 {
            loop.mayHoldSockets = true
            loop.noteReadingOn(self)
        }
        handle.connectionPool.hurry()
        // This can call back into this object. An error in a callback is the result of this call.
        let result = curl_easy_pause(handle.easy, directions)
        // A bad argument means that the exchange has no connection, so there is nothing to resume.
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT {
            return loop.finish(self, result: result)
        }
        // At once, because libcurl would read another buffer the next time it is called.
        stopReadingAhead()
    }

    // MARK: Reading ahead

    /// What libcurl has read ahead of the response, or nil if it does not have the exchange.
    var readAhead: ReadAhead? { handle.map { ReadAhead(on: $0, response, request) } }

    /// Pauses both directions if necessary, and returns false if this has to be checked again.
    @discardableResult
    func stopReadingAhead() -> Bool {
        guard stage == .active, pauses.isReceivingPaused, !pauses.isSendingPaused,
            let readAhead, readAhead.isMoreExpected
        else { return true }
        guard readAhead.mustStopSending, let handle,
            curl_easy_pause(handle.easy, bb_pause_both) == CURLE_OK
        else { return false }
        pause(bb_pause_both)
        return true
    }
}
