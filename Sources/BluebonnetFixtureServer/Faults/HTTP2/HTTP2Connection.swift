/// The server's side of an HTTP/2 connection, which reads the client's frames.
///
/// It does not decode header fields, because HPACK is stateful. It records only the stream and the
/// body of a request.
struct HTTP2Connection {
    let index: Int
    let state: FaultServerState
    let stream: FaultStream
    private var bodies: [UInt32: [UInt8]] = [:]
    private var requestCount = 0

    init(index: Int, state: FaultServerState, stream: FaultStream) {
        self.index = index
        self.state = state
        self.stream = stream
    }

    /// The preface that every client sends first (RFC 9113 section 3.4).
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Reads the client's preface, or returns false if other bytes arrive.
    func readPreface() -> Bool { read(Self.preface.count) == Self.preface }

    /// Reads the next frame, or returns nil at the end of the connection.
    mutating func readFrame() -> HTTP2Frame? {
        guard let head = read(9) else { return nil }
        let number = { (bytes: ArraySlice<UInt8>) in
            bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        guard let payload = read(Int(number(head[..<3]))) else { return nil }
        let frame = HTTP2Frame(
            HTTP2Frame.Kind(rawValue: head[3]) ?? .unknown,
            flags: HTTP2Frame.Flags(rawValue: head[4]), stream: number(head[5...]) & 0x7FFF_FFFF,
            payload: payload)
        note(frame)
        return frame
    }

    /// Reads frames until a request is complete, or returns false if the connection ends first.
    mutating func readRequest(stream: UInt32) -> Bool {
        while let frame = readFrame() {
            if frame.stream == stream, frame.endsRequest { return true }
        }
        return false
    }

    /// Reads frames until `count` of a kind have arrived, or returns false if the connection ends
    /// first.
    mutating func readFrames(_ kind: HTTP2Frame.Kind, count: Int) -> Bool {
        var left = count
        while left > 0 {
            guard let frame = readFrame() else { return false }
            if frame.kind == kind { left -= 1 }
        }
        return true
    }

    /// Sends a normal response to every request until the client disconnects.
    mutating func serve() {
        while let frame = readFrame() {
            guard stream.write(answers(to: frame).flatMap(\.bytes)) else { return }
        }
    }

    private func answers(to frame: HTTP2Frame) -> [HTTP2Frame] {
        let answer = frame.endsRequest ? Self.good(frame.stream) : []
        switch frame.kind {
        case .ping where !frame.flags.contains(.acknowledges):
            return [.ping(frame.payload, acknowledges: true)]
        case .data where !frame.payload.isEmpty:
            let count = UInt32(frame.payload.count)
            return [.windowUpdate(count, stream: 0), .windowUpdate(count, stream: frame.stream)]
                + answer
        default: return answer
        }
    }

    private static func good(_ stream: UInt32) -> [HTTP2Frame] {
        let body = String(decoding: FaultScript.goodBody, as: UTF8.self)
        return HTTP2Frame.response(
            fields: [.literal("content-length", "\(body.utf8.count)")], body: body, stream: stream)
    }

    private mutating func note(_ frame: HTTP2Frame) {
        switch frame.kind {
        case .data: bodies[frame.stream, default: []] += frame.payload
        case .reset: bodies[frame.stream] = nil
        default: break
        }
        guard frame.endsRequest else { return }
        state.note(
            FixtureRequest(
                method: "", target: "stream \(frame.stream)", path: "", query: nil,
                headers: FixtureHeaders(),
                body: bodies.removeValue(forKey: frame.stream) ?? [], connectionIndex: index,
                requestIndex: requestCount))
        requestCount += 1
    }

    /// Reads exactly `count` bytes, or returns nil at the end of the connection.
    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = stream.read(count - bytes.count) else { return nil }
            bytes += more
        }
        return bytes
    }
}

extension HTTP2Frame {
    /// Whether this is a client's last frame on its stream.
    fileprivate var endsRequest: Bool {
        (kind == .headers || kind == .data) && flags.contains(.endsStream)
    }
}
