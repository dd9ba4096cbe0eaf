import Glibc

/// An accepted connection, which reads requests and performs the steps of their replies in order.
///
/// The event loop owns it and calls it when its socket or its timer is ready. It never blocks, and
/// only the event loop closes its socket.
final class Connection {
    enum Verdict {
        case keepOpen, close, reset
    }

    private enum Activity {
        case reading, replying, paused, holding
        /// Another thread is producing the reply.
        case deferring(DeferredReply)

        var isReading: Bool { if case .reading = self { true } else { false } }
    }

    /// While a reply is sent, the socket is no longer read once this many bytes are unparsed.
    private static let inputLimit = 1 << 20
    private static let outputLimit = 65_536
    /// Limits the bytes of one turn, so that a fast client cannot starve the other connections.
    private static let turnBudget = 1 << 20
    private static let stepCost = 64
    /// The time that a rejected client has to read the response.
    ///
    /// Closing at once could destroy the response.
    private static let lingerMilliseconds = 500

    var watchedEvents: EpollEvents = []

    private let index: Int
    private let stream: ConnectionStream
    private let state: ServerState
    private var input = InputBuffer()
    private var output = OutputBuffer()
    private var parser = RequestParser()
    private var script = ReplyScript()
    private var method = ""
    private var activity = Activity.reading
    private var requestCount = 0
    private var pauseCount = 0
    private var requestedPause: Int?
    private var closesAfterReply = false
    private var discardsInput = false
    private var sendingIsShutDown = false
    private var peerHasClosed = false
    private var isCutShort = false

    init(index: Int, stream: ConnectionStream, state: ServerState) {
        self.index = index
        self.stream = stream
        self.state = state
    }

    var descriptor: Int32 { stream.descriptor }

    var wantedEvents: EpollEvents {
        var events: EpollEvents = []
        if !peerHasClosed, discardsInput || activity.isReading || input.count < Self.inputLimit {
            events.insert(.readable)
        }
        if !output.isEmpty || isCutShort { events.insert(.writable) }
        return events
    }

    /// Whether no part of a request has arrived and no part of a reply is left to send.
    var isIdle: Bool {
        activity.isReading && parser.isBetweenRequests && input.isEmpty && output.isEmpty
    }

    func handle(
        _ events: EpollEvents, receiveBuffer: UnsafeMutableRawBufferPointer
    ) -> Verdict {
        if events.contains(.error) || events.contains(.hangUp) { return .close }
        if events.contains(.readable), !receive(into: receiveBuffer) { return .close }
        return progress()
    }

    /// Continues after a pause, unless the timer belongs to an earlier pause.
    func resume(pause generation: Int) -> Verdict {
        guard case .paused = activity, generation == pauseCount else { return .keepOpen }
        activity = .replying
        return progress()
    }

    /// Continues with a deferred reply, unless the connection no longer waits for it.
    func answer(_ deferred: DeferredReply, with reply: FixtureReply) -> Verdict {
        guard case .deferring(let awaited) = activity, awaited === deferred else {
            return .keepOpen
        }
        script.insert(reply.steps(forMethod: method))
        activity = .replying
        return progress()
    }

    func takeRequestedPause() -> (milliseconds: Int, generation: Int)? {
        guard let milliseconds = requestedPause else { return nil }
        requestedPause = nil
        return (milliseconds, pauseCount)
    }

    func closeSocket(reset: Bool) {
        stream.close(reset: reset)
        if case .deferring(let deferred) = activity { deferred.abandon() }
    }

    /// Returns false if the connection is broken.
    private func receive(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        switch stream.receive(into: buffer) {
        case .moved(let count):
            if !discardsInput { input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        case .ended: peerHasClosed = true
        case .blocked: break
        case .failed: return false
        }
        return true
    }

    private func progress() -> Verdict {
        isCutShort = false
        var budget = Self.turnBudget
        while budget > 0 {
            if output.count >= Self.outputLimit {
                budget -= output.count
                switch output.flush(to: stream) {
                case .drained: break
                case .blocked: return .keepOpen
                case .failed: return .close
                }
            }
            switch activity {
            case .reading:
                guard takeNextRequest() else { return settle() }
            case .replying:
                if let verdict = performNextStep() { return verdict }
            case .paused, .holding, .deferring:
                return settle()
            }
            budget -= Self.stepCost
        }
        isCutShort = true
        return .keepOpen
    }

    /// Sends the remaining output and, if the client has closed its side, closes the connection.
    private func settle() -> Verdict {
        switch output.flush(to: stream) {
        case .drained: peerHasClosed ? .close : .keepOpen
        case .blocked: .keepOpen
        case .failed: .close
        }
    }

    private func takeNextRequest() -> Bool {
        switch parser.next(from: &input) {
        case .incomplete:
            return false
        case .continueExpected:
            output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        case .request(let parsed):
            begin(parsed)
        case .rejected(let rejection):
            refuse(rejection)
        }
        return true
    }

    private func begin(_ parsed: ParsedRequest) {
        let head = parsed.head
        let (path, query) = head.pathAndQuery
        let request = FixtureRequest(
            method: head.method, target: head.target, path: path, query: query,
            headers: head.headers, body: parsed.body, connectionIndex: index,
            requestIndex: requestCount)
        requestCount += 1
        closesAfterReply = head.closesConnection
        method = head.method
        script = ReplyScript(state.reply(to: request).steps(forMethod: head.method))
        activity = .replying
    }

    private func refuse(_ rejection: RequestRejection) {
        let reply = FixtureReply.response(
            status: rejection.status,
            headers: [("Content-Type", "application/json"), ("Connection", "close")],
            body: Array("{\"error\":\"malformed request: \(rejection.reason)\"}".utf8))
        let ending: [FixtureReply.Step] = [
            .halfClose, .pause(milliseconds: Self.lingerMilliseconds), .close,
        ]
        script = ReplyScript(Array(reply.steps.dropLast() + ending))
        discardInput()
        activity = .replying
    }

    /// Returns nil if the next step can be performed at once.
    private func performNextStep() -> Verdict? {
        var step = script.next() ?? .endRequest
        if case .endRequest = step {
            if sendingIsShutDown { step = .hold } else if closesAfterReply { step = .close }
        }
        switch step {
        case .send(let bytes):
            if !sendingIsShutDown { output.append(bytes) }
            return nil
        case .endRequest:
            activity = .reading
            return nil
        case .generate, .repeatForever:
            // `ReplyScript` expands these steps itself and never returns them.
            return nil
        case .pause, .defer, .halfClose, .close, .reset, .hold:
            break
        }
        switch output.flush(to: stream) {
        case .drained:
            return performAfterFlush(step)
        case .blocked:
            script.putBack(step)
            return .keepOpen
        case .failed:
            return .close
        }
    }

    private func performAfterFlush(_ step: FixtureReply.Step) -> Verdict? {
        switch step {
        case .pause(let milliseconds):
            pauseCount += 1
            requestedPause = milliseconds
            activity = .paused
        case .defer(let begin):
            let deferred = state.deferredReply(on: index)
            activity = .deferring(deferred)
            begin(deferred)
        case .halfClose:
            stream.endSending()
            sendingIsShutDown = true
        case .close:
            emptyReceiveQueue()
            return .close
        case .reset:
            return .reset
        default:
            discardInput()
            activity = .holding
        }
        return nil
    }

    private func discardInput() {
        discardsInput = true
        input.removeAll()
    }

    /// Discards unread bytes, because closing a socket with unread bytes resets the connection.
    ///
    /// A reset can destroy a reply that is still in transit.
    private func emptyReceiveQueue() {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
            var rounds = Self.inputLimit / buffer.count
            while rounds > 0, recv(descriptor, buffer.baseAddress, buffer.count, 0) > 0 {
                rounds -= 1
            }
        }
    }
}
