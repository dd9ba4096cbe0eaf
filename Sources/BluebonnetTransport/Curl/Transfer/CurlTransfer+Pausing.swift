import CBluebonnet

// When an exchange stands still: it was suspended, its sink has enough, or its body has no more to send
// for now.
extension CurlTransfer {
    /// Notes that libcurl is told to wait in a direction.
    func pause(_ direction: Int32) {
        pauses.directions |= direction
        loop.mayHoldSockets = true
    }

    func setSuspended(_ isSuspended: Bool) {
        guard pauses.isSuspended != isSuspended else { return }
        pauses.isSuspended = isSuspended
        guard isSuspended else {
            times.queued = loop.now
            loop.unmute(self)
            return flowAgain()
        }
        guard stage == .active, let handle else { return }
        // Where libcurl reads on it is not told to wait before the head is there. The loop keeps from it
        // what comes, but for what it looks at when a timer of its own is due.
        guard response.hasHead || !LibcurlQuirks.current.readsOnInPauses else {
            return loop.mute(self)
        }
        let former = pauses.directions
        // Before, since libcurl says at once that it does not watch the socket any more.
        pause(CURLPAUSE_ALL)
        // Refused while there is no connection; the callbacks pause the exchange later then.
        if curl_easy_pause(handle.easy, CURLPAUSE_ALL) != CURLE_OK { pauses.directions = former }
    }

    /// Goes on as far as there is reason to: it was resumed, or there is more to consume or to send.
    func flowAgain() {
        if mayReceive, response.isDecoding { loop.continueDecoding(self) }
        // First, or no timeout that stands still while libcurl waits would be noted.
        unpauseIfPossible()
        restartIdleTime()
    }

    /// Lets the idle timeout, which did not run, begin anew.
    func restartIdleTime() {
        times.lastActivity = loop.now
        loop.noteDeadline(of: self)
    }

    /// Whether the sink can take more; if not, the loop hears when it can.
    var mayReceive: Bool { !pauses.isSuspended && window.hasRoom() }

    func unpauseIfPossible() {
        guard stage == .active, pauses.isAny, !pauses.isSuspended, let handle else { return }
        var directions: Int32 = 0
        if response.isDecoding || !mayReceive { directions = pauses.directions & CURLPAUSE_RECV }
        guard directions != pauses.directions,
            directions == 0 || readAhead?.mustStopSending != true
        else { return }
        pauses.directions = directions
        if directions != 0 {
            loop.mayHoldSockets = true
            loop.noteReadingOn(self)
        }
        handle.connectionPool.hurry()
        // May call back into this object; an error there is this call's result and nothing else.
        let result = curl_easy_pause(handle.easy, directions)
        // A bad argument is an exchange without a connection: there is nothing to let go.
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT {
            return loop.finish(self, result: result)
        }
        // At once: libcurl would read another buffer as soon as it is called.
        stopReadingAhead()
    }

    // MARK: Reading ahead

    /// What libcurl keeps of the response; nil where it does not have the exchange.
    var readAhead: ReadAhead? { handle.map { ReadAhead(on: $0, response, request) } }

    /// Has libcurl wait in both directions if it must; false if that is still to be looked at.
    @discardableResult
    func stopReadingAhead() -> Bool {
        guard stage == .active, pauses.isReceivingPaused, !pauses.isSendingPaused,
            let readAhead, readAhead.isMoreExpected
        else { return true }
        guard readAhead.mustStopSending, let handle,
            curl_easy_pause(handle.easy, CURLPAUSE_ALL) == CURLE_OK
        else { return false }
        pause(CURLPAUSE_ALL)
        return true
    }
}
