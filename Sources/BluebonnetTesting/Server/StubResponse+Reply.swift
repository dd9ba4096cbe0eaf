import Bluebonnet
import BluebonnetFixtureServer

extension StubResponse {
    /// Returns the response to a method as the steps of a server on a socket.
    func reply(to method: HTTPMethod) -> FixtureReply {
        let parts = parts(answering: method.rawValue)
        var steps = ReplySteps()
        steps.pause(delay)
        if let parts { steps.add(parts, every: pieceInterval) }
        switch parts?.end ?? end {
        case .whole:
            if let parts, parts.isChunked { steps.add(.send(parts.lastChunk)) }
            steps.add(parts?.endsConnection == true ? .close : .endRequest)
        case .failure(let failure) where failure.timeout == nil: steps.add(.close)
        // The client's own timeout has to expire.
        case .failure, .never: steps.add(.hold)
        }
        return .script(steps.all)
    }
}

private struct ReplySteps {
    private(set) var all: [FixtureReply.Step] = []

    mutating func add(_ step: FixtureReply.Step) { all.append(step) }

    mutating func add(_ parts: StubResponse.Parts, every interval: Duration) {
        let fields = parts.head.fields.map { ($0.name, $0.value) }
        add(.head(status: parts.head.statusCode, headers: fields))
        for piece in parts.pieces {
            pause(interval)
            add(.send(parts.isChunked ? piece.asChunk : Array(piece)))
        }
    }

    mutating func pause(_ delay: Duration) {
        guard delay > .zero else { return }
        // Clamped to the range of an integer; the server waits for a year at most.
        let milliseconds = min((delay / .milliseconds(1)).rounded(.up), 1e12)
        add(.pause(milliseconds: Int(milliseconds)))
    }
}

extension StubResponse.Parts {
    /// Whether no other response can follow on the connection.
    fileprivate var endsConnection: Bool {
        isCutShort || head["Connection"]?.lowercased() == "close"
    }

    fileprivate var lastChunk: [UInt8] {
        let lines = ["0"] + (trailers ?? []).map { "\($0.name): \($0.value)" } + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}

extension Data {
    fileprivate var asChunk: [UInt8] {
        Array("\(String(count, radix: 16))\r\n".utf8) + self + Array("\r\n".utf8)
    }
}
