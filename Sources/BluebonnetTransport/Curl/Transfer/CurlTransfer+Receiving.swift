import CBluebonnet
import Foundation
import Synchronization

// What libcurl hands over of the response, and its body's way to the sink.
extension CurlTransfer {
    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        if tunnelResponse != nil { return receiveTunnelLine(line) }
        if hasHead { return receiveTrailers(line) }
        return receiveLineOfHead(line)
    }

    /// Takes one trailer, or several that came during a pause, which libcurl glues together.
    private func receiveTrailers(_ lines: UnsafeRawBufferPointer) -> Bool {
        lastActivity = loop.now
        do throws(Exchange.Failure) {
            var rest = lines
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                _ = try parser.take(UnsafeRawBufferPointer(rebasing: rest[...end]))
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            }
            if !rest.isEmpty { _ = try parser.take(rest) }
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }

    private func receiveLineOfHead(_ line: UnsafeRawBufferPointer) -> Bool {
        noteHeaderLine()
        do throws(Exchange.Failure) {
            try handle?.endLookAtFirstField()
            switch try parser.take(line) {
            case .more: return true
            case .statusLine:
                try handle?.lookAtFirstField()
                return true
            case .head(let head):
                try receive(head)
                return !endsWithHead
            }
        } catch {
            failure = failure ?? error
            return false
        }
    }

    private func receive(_ head: Exchange.Head) throws(Exchange.Failure) {
        let wasUncertain = isConnectionUncertain
        hasHead = true
        defer { if wasUncertain, !isConnectionUncertain { loop.socketBecameCertain() } }
        if let handle {
            try noteVersion(isHTTP2: parser.isHTTP2, on: handle)
            try handle.mayKeepConnection()
            handle.leaveOldAddresses()
            if head.isEndDisputable(in: parser.version) { try handle.forbidReuse() }
        }
        headAt = .now
        body = try BodyReceiver(head: head, exchange: exchange)
        try noteFraming(of: head)
        report.head = head
        noteCopiedBodySent()
        touch()
    }

    /// A HEAD with a body is to libcurl a POST by another name, whose response's body it awaits.
    var endsWithHead: Bool { exchange.method == "HEAD" && exchange.body != nil }

    /// Prepares for what tells where the body of a response over HTTP/1 ends.
    private func noteFraming(of head: Exchange.Head) throws(Exchange.Failure) {
        guard !parser.isHTTP2 else { return }
        if isBodiless { return try closeIfMoreFollows() }
        if head.isChunked {
            watchChunks()
        } else if let length = head.declaredLength {
            // Beside another coding it may not be what libcurl goes by.
            guard !head.block.has(.transferEncoding) else { return }
            awaitedLength = length
            if length == 0 { try closeIfMoreFollows() }
        } else {
            // Nothing but the connection's end.
            tlsClosure = handle.flatMap(TLSClosure.init)
        }
    }

    /// Whether its response has no body, whatever the head says (RFC 9112 section 6.3).
    var isBodiless: Bool { body?.isBodiless == true }

    /// Takes what libcurl would write: the body, and, where it is looked at, the head's first field.
    func receive(_ piece: UnsafeRawBufferPointer) -> Acceptance {
        guard let handle, handle.isLookingAtFirstField else { return receiveBody(piece) }
        guard handle.isGoodFirstField(piece) else {
            failure = failure ?? .foldedFirstField
            return .refused
        }
        return .taken
    }

    private func receiveBody(_ piece: UnsafeRawBufferPointer) -> Acceptance {
        lastActivity = loop.now
        guard failure == nil else { return .refused }
        guard mayReceive, body?.isBusy == false, hasTimeInTurn() else {
            guard body != nil else {
                failure = .malformed("the response's body came before its head")
                return .refused
            }
            pausedDirections |= CURLPAUSE_RECV
            loop.noteReadingOn(self)
            return .paused
        }
        wireBytes += Int64(piece.count)
        touch()
        do throws(Exchange.Failure) {
            // Who is paused again and again has its socket read without an event.
            if let failure = judgeChunks() { throw failure }
            try decoding { body throws(Exchange.Failure) in try body.take(piece) }
            if let awaitedLength, wireBytes >= awaitedLength { try closeIfMoreFollows() }
        } catch {
            failure = error
            return .refused
        }
        if body?.isBusy == true { loop.continueDecoding(self) }
        return .taken
    }

    /// Whether the turn has time for another piece of the body; if not, the next one has.
    ///
    /// A server that makes chunks of a byte each would keep the loop busy with one packet of them,
    /// and so would one that sends frames of HTTP/2 with a byte each: libcurl reads on as long as
    /// there is something. What it has read it keeps while it waits, and hands over in large pieces
    /// then.
    private func hasTimeInTurn() -> Bool {
        if pieces.turn != loop.now { pieces = (loop.now, 0) }
        pieces.count += 1
        // The first has time always, or a turn that is late would bring nobody on.
        guard pieces.count > 1 else { return true }
        guard pieces.count > Self.largestPieceCount || loop.hasLasted(Self.longestReading) else {
            return true
        }
        loop.continueInNextTurn(self)
        return false
    }

    private static let largestPieceCount = 200
    /// Seconds into a turn after which nothing more is read in it.
    private static let longestReading: TimeInterval = 0.005

    /// Decodes one more step; true when there is more to do now.
    func decodeFurther() -> Bool {
        guard stage == .active || stage == .decoding, body?.isBusy == true, mayReceive
        else { return false }
        touch()
        do throws(Exchange.Failure) {
            try decoding { body throws(Exchange.Failure) in try body.continueDecoding() }
        } catch {
            failure = failure ?? error
            loop.finish(self, result: nil)
            return false
        }
        if body?.isBusy == true { return true }
        if stage == .decoding {
            loop.finish(self, result: nil)
        } else {
            restartIdleTime()
            unpauseIfPossible()
        }
        return false
    }

    /// Counts what comes of a step as outstanding.
    private func decoding(
        _ step: (BodyReceiver) throws(Exchange.Failure) -> Void
    ) throws(Exchange.Failure) {
        guard let body else { return }
        let before = body.decodedCount
        defer {
            if exchange.receiveWindow != nil {
                let count = body.decodedCount - before
                outstanding.add(count, ordering: .sequentiallyConsistent)
            }
        }
        try step(body)
    }

    /// Takes what was left of a body when libcurl had given the exchange up.
    func takeEarlyBody(_ bytes: [UInt8]) throws(Exchange.Failure) {
        wireBytes += Int64(bytes.count)
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(Exchange.Failure) in
                try decoding { body throws(Exchange.Failure) in try body.take(bytes) }
            }
        }
        try result.get()
        if body?.isBusy == true { loop.continueDecoding(self) }
    }
}
