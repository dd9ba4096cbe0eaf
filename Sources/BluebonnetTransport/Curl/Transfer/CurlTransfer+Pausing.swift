import CBluebonnet
import Synchronization

// When an exchange stands still: somebody suspended it, its sink has enough, or its body has no more
// to send for now.
extension CurlTransfer {
    /// Whether libcurl was told to wait, in any direction.
    var isPaused: Bool { pausedDirections != 0 }

    /// Whether libcurl waits for more of the request's body.
    var isSendingPaused: Bool { pausedDirections & CURLPAUSE_SEND != 0 }

    func setSuspended(_ isSuspended: Bool) {
        guard self.isSuspended != isSuspended else { return }
        self.isSuspended = isSuspended
        guard isSuspended else {
            queuedAt = loop.now
            loop.unmute(self)
            return flowAgain()
        }
        guard stage == .active, let handle else { return }
        // Where libcurl reads on it is not told to wait before the head is there. The loop keeps from it
        // what comes, but for what it looks at when a timer of its own is due.
        guard hasHead || !LibcurlQuirks.current.readsOnInPauses else { return loop.mute(self) }
        let former = pausedDirections
        // Before, since libcurl says at once that it does not watch the socket any more.
        pausedDirections = CURLPAUSE_ALL
        // Refused while there is no connection; the callbacks pause the exchange later then.
        if curl_easy_pause(handle.easy, CURLPAUSE_ALL) != CURLE_OK { pausedDirections = former }
    }

    /// Goes on as far as there is reason to: somebody resumed, consumed or has more to send.
    func flowAgain() {
        if mayReceive, body?.isBusy == true { loop.continueDecoding(self) }
        // First, or no timeout that stands still while libcurl waits would be noted.
        unpauseIfPossible()
        restartIdleTime()
    }

    /// Lets the idle timeout, which did not run, begin anew.
    func restartIdleTime() {
        lastActivity = loop.now
        loop.noteDeadline(of: self)
    }

    /// Whether the sink can take more; if not, the loop hears when it can.
    var mayReceive: Bool {
        guard !isSuspended else { return false }
        guard let window = exchange.receiveWindow else { return true }
        guard outstanding.load(ordering: .sequentiallyConsistent) >= window else { return true }
        isStarved.store(true, ordering: .sequentiallyConsistent)
        // It may have consumed everything between the two.
        guard outstanding.load(ordering: .sequentiallyConsistent) <= window / 4 else {
            return false
        }
        isStarved.store(false, ordering: .sequentiallyConsistent)
        return true
    }

    func unpauseIfPossible() {
        guard stage == .active, pausedDirections != 0, !isSuspended, let handle else { return }
        var directions: Int32 = 0
        if body?.isBusy == true || !mayReceive { directions = pausedDirections & CURLPAUSE_RECV }
        guard directions != pausedDirections, directions == 0 || !mustWaitBothWays else { return }
        pausedDirections = directions
        if directions != 0 { loop.noteReadingOn(self) }
        handle.connectionPool.hurry()
        // May call back into this object; an error there is this call's result and nothing else.
        let result = curl_easy_pause(handle.easy, directions)
        // A bad argument is an exchange without a connection: there is nothing to let go.
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT {
            return loop.finish(self, result: result)
        }
        // At once: it would read another buffer as soon as it is called.
        waitBothWaysIfNeeded()
    }
}
