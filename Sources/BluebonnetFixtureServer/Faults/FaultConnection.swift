/// Performs the actions of a script on one accepted connection.
struct FaultConnection {
    private enum Outcome {
        case goesOn
        /// The connection must be closed, or the client has disconnected.
        case ends
    }

    let index: Int
    let state: FaultServerState
    private let stream: FaultStream
    private var input = InputBuffer()
    private var parser = RequestParser()
    private var http2: HTTP2Connection
    private var requestCount = 0

    init(index: Int, socket: Int32, state: FaultServerState) {
        self.index = index
        self.state = state
        stream = FaultStream(socket: socket)
        http2 = HTTP2Connection(index: index, state: state, stream: stream)
    }

    mutating func run(_ actions: [FaultAction]) {
        if state.startsWithTLS, perform(.startTLS) == .ends { return }
        for action in actions + [.serve] where perform(action) == .ends { return }
    }

    private mutating func perform(_ action: FaultAction) -> Outcome {
        switch action {
        case .request: return takeRequest() ? .goesOn : .ends
        case .receive(let count): return receive(count) ? .goesOn : .ends
        case .send(let bytes): return stream.write(bytes) ? .goesOn : .ends
        case .drip(let bytes, let milliseconds): return drip(bytes, milliseconds)
        case .repeatForever(let bytes): return repeatForever(bytes)
        case .pause(let milliseconds):
            return state.wait(milliseconds: milliseconds) ? .goesOn : .ends
        case .await(let signals): return state.wait(signals: signals) ? .goesOn : .ends
        case .startTLS: return startTLS() ? .goesOn : .ends
        case .closeNotify: stream.closeNotify()
        case .halfClose: stream.halfClose()
        case .beginHTTP2(let settings):
            let frames: [HTTP2Frame] = [.settings(settings), .settingsAcknowledgement]
            let isBegun = http2.readPreface() && stream.write(frames.flatMap(\.bytes))
            return isBegun ? .goesOn : .ends
        case .requestHTTP2(let stream): return http2.readRequest(stream: stream) ? .goesOn : .ends
        case .frames(let kind, let count):
            return http2.readFrames(kind, count: count) ? .goesOn : .ends
        case .serve:
            serve()
            return .ends
        case .close, .abandon, .reset, .hold, .drain:
            end(action)
            return .ends
        }
        return .goesOn
    }

    private func startTLS() -> Bool {
        guard let context = state.tls else { return false }
        if stream.startTLS(context) { return true }
        if context.resetsFailedHandshakes {
            stream.resetAtClose()
            return false
        }
        // Unread bytes from the client would reset the connection and destroy the alert.
        stream.halfClose()
        stream.drain()
        return false
    }

    private func end(_ action: FaultAction) {
        switch action {
        case .close:
            stream.closeNotify()
            stream.halfClose()
            stream.drain()
        case .reset: stream.resetAtClose()
        case .hold: stream.waitForEnd()
        case .drain: stream.drain()
        default: break
        }
    }

    private mutating func serve() {
        if state.script.speaksHTTP2 { return http2.serve() }
        while takeRequest(), stream.write(FaultScript.goodAnswer) {}
    }

    private mutating func takeRequest() -> Bool {
        while true {
            switch parser.next(from: &input) {
            case .request(let parsed):
                note(parsed)
                return true
            case .rejected: return false
            case .continueExpected: continue
            case .incomplete:
                guard let bytes = stream.read(.max) else { return false }
                bytes.withUnsafeBytes { input.append($0) }
            }
        }
    }

    private mutating func note(_ parsed: ParsedRequest) {
        let head = parsed.head
        let (path, query) = head.pathAndQuery
        state.note(
            FixtureRequest(
                method: head.method, target: head.target, path: path, query: query,
                headers: head.headers, body: parsed.body, connectionIndex: index,
                requestIndex: requestCount))
        requestCount += 1
    }

    private func receive(_ count: Int) -> Bool {
        var left = count
        while left > 0 {
            guard let bytes = stream.read(left) else { return false }
            left -= bytes.count
        }
        return true
    }

    private func drip(_ bytes: [UInt8], _ milliseconds: Int) -> Outcome {
        for byte in bytes {
            guard state.wait(milliseconds: milliseconds), stream.write([byte]) else { return .ends }
        }
        return .goesOn
    }

    private func repeatForever(_ bytes: [UInt8]) -> Outcome {
        let copies = max(1, 16_384 / max(1, bytes.count))
        let block = Array(repeatElement(bytes, count: copies).joined())
        while stream.write(block) {}
        return .ends
    }
}
