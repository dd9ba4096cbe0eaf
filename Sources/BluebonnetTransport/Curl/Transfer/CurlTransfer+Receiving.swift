import CBluebonnet
import Foundation

// The response as libcurl delivers it, and the path of its body to the sink.
extension CurlTransfer {
    /// The seconds into a turn after which no further piece of a body is received in it.
    private static let longestReading: TimeInterval = 0.005

    /// Receives a line of a head or a trailer, and returns false if libcurl must end the exchange.
    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        do throws(Exchange.Failure) {
            if let tunnel = connection.tunnelResponse {
                times.lastActivity = loop.now
                return try tunnel.receive(line, on: handle)
            }
            guard !response.hasHead else {
                times.lastActivity = loop.now
                try response.takeTrailers(line)
                return true
            }
            return try receiveLineOfHead(line)
        } catch {
            failure = failure ?? error
            return false
        }
    }

    private func receiveLineOfHead(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) -> Bool {
        times.noteHeaderLine(at: loop.now)
        try handle?.endLookAtFirstField()
        switch try response.takeHeadLine(line) {
        case .more: return true
        case .statusLine:
            try handle?.lookAtFirstField()
            return true
        case .head(let head):
            try receive(head)
            return !endsWithHead
        }
    }

    /// Whether the response ends with its head, although libcurl expects a body.
    ///
    /// libcurl treats a HEAD request with a body like a POST with another method, and would wait
    /// for the response's body.
    var endsWithHead: Bool { exchange.method == "HEAD" && exchange.body != nil }

    private func receive(_ head: Exchange.Head) throws(Exchange.Failure) {
        let wasUncertain = isConnectionUncertain
        response.noteHead()
        defer { if wasUncertain, !isConnectionUncertain { loop.socketBecameCertain() } }
        if let handle {
            try handle.connectionPool.noteVersion(of: self, on: handle)
            try handle.mayKeepConnection()
            handle.leaveOldAddresses()
            if head.isEndDisputable(in: response.version) { try handle.forbidReuse() }
            if !response.isHTTP2, ConnectionReuse.isMentioned(in: head.block) {
                try keepConnection(by: ConnectionReuse(head.block), handle)
            }
        }
        times.headCompleted = .now
        // Before the body, which may be refused: the status is reported in any case.
        report.head = head
        touch()
        switch try response.beginBody(head, of: exchange, noting: &report.codings) {
        case .none, .length(0): try ExcessBytes.closeConnection(of: self)
        case .connectionEnd: watchTLSClosure()
        case .chunks, .length, .other: break
        }
        if exchange.reportsSending, let count = copiedBodyProgress { report.sentBodyBytes = count }
    }

    private func keepConnection(
        by persistence: ConnectionReuse, _ handle: EasyHandle
    ) throws(Exchange.Failure) {
        guard let seconds = persistence.usableTime else { return }
        // Some versions of libcurl do not find the `close` option among others.
        guard seconds > 0 else { return try handle.forbidReuse() }
        guard connection.hasSocket else { return }
        loop.sockets.limitIdleTime(of: connection.socket, to: seconds, at: loop.now)
    }

    // MARK: The body

    /// Receives a piece of the body, or of the head's first field while that is being checked.
    func receive(_ piece: UnsafeRawBufferPointer) -> Acceptance {
        guard let handle, handle.isLookingAtFirstField else { return receiveBody(piece) }
        guard handle.isGoodFirstField(piece) else {
            failure = failure ?? .foldedFirstField
            return .refused
        }
        return .taken
    }

    private func receiveBody(_ piece: UnsafeRawBufferPointer) -> Acceptance {
        times.lastActivity = loop.now
        guard failure == nil else { return .refused }
        guard response.body != nil else {
            failure = .malformed(.head, "the response's body arrived before its head")
            return .refused
        }
        guard mayReceive, !response.isDecoding, hasTimeInTurn() else {
            pause(bb_pause_receiving)
            loop.noteReadingOn(self)
            return .paused
        }
        touch()
        do throws(Exchange.Failure) {
            let excess = try take(piece)
            if response.isWhole { try ExcessBytes.closeConnection(of: self, excess: excess) }
        } catch {
            failure = error
            return .refused
        }
        if response.isDecoding { loop.continueDecoding(self) }
        // With other transfer codings besides chunked, libcurl may expect the body's end elsewhere.
        return response.hasWholeChunks && handle?.forbidsReuse == true ? .refused : .taken
    }

    /// Returns whether this turn has time for another piece of the body, and schedules the next
    /// turn if not.
    private func hasTimeInTurn() -> Bool {
        let hasTime = response.takesPiece(
            inTurnOf: loop.now, hasTime: { !loop.hasLasted(Self.longestReading) })
        if !hasTime { loop.continueInNextTurn(self) }
        return hasTime
    }

    /// Receives the body of a response that libcurl never read.
    func receiveEarlyBody(_ bytes: [UInt8]) throws(Exchange.Failure) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(Exchange.Failure) in try take(bytes) }
        }
        _ = try result.get()
        if response.isDecoding { loop.continueDecoding(self) }
    }

    /// Decodes one more step, and returns whether more can be decoded now.
    func decodeFurther() -> Bool {
        guard stage == .active || stage == .decoding, response.isDecoding, mayReceive
        else { return false }
        touch()
        do throws(Exchange.Failure) {
            try decode { body throws(Exchange.Failure) in try body.continueDecoding() }
        } catch {
            failure = failure ?? error
            loop.finish(self, result: nil)
            return false
        }
        if response.isDecoding { return true }
        if stage == .decoding {
            loop.finish(self, result: nil)
        } else {
            restartIdleTime()
            unpauseIfPossible()
        }
        return false
    }

    /// Takes bytes of the body, and returns how many of them follow the response's end.
    private func take(_ piece: UnsafeRawBufferPointer) throws(Exchange.Failure) -> Int {
        var excess = 0
        try decode { body throws(Exchange.Failure) in
            excess = try response.takeBody(piece, into: body)
        }
        return excess
    }

    /// Performs a step of the body's decoding, and counts its output toward the window.
    private func decode(
        _ step: (BodyReceiver) throws(Exchange.Failure) -> Void
    ) throws(Exchange.Failure) {
        guard let body = response.body else { return }
        let before = body.decodedCount
        defer { window.add(body.decodedCount - before) }
        try step(body)
    }
}
