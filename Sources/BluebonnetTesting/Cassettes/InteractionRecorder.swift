import Bluebonnet

/// Records one exchange.
final class InteractionRecorder: Sendable {
    private struct State {
        var interaction: Interaction
        /// The bytes of the request's body that were read so far.
        var sent = Data()
        var isSentWhole = false
        var isCancelled = false
        var isOver = false
        /// The time of the last event whose delay is recorded.
        var time = Duration.zero
    }

    private let clock: any SessionClock
    private let keepsPieces: Bool
    private let state: Locked<State>

    init(_ exchange: Exchange, keepsPieces: Bool) {
        clock = exchange.clock
        self.keepsPieces = keepsPieces
        var interaction = Interaction(
            request: RecordedRequest(
                method: exchange.method, url: exchange.url, fields: exchange.fields))
        interaction.request.body?.isJSON = exchange.fields.declareJSON
        var state = State(interaction: interaction, isSentWhole: true)
        switch exchange.body {
        case nil: break
        case .data(let data)?: state.sent = data
        case .stream(let stream)?: state.isSentWhole = stream.length == 0
        }
        self.state = Locked(state)
    }

    /// The recording so far; nil until the exchange has ended or was canceled.
    var interaction: Interaction? {
        state.withLock { state in
            guard state.isOver || state.isCancelled else { return nil }
            var interaction = state.interaction
            if !state.isOver { interaction.end = .cancelled }
            interaction.request.body?.data = state.sent
            if !state.isSentWhole { interaction.request.body = nil }
            return interaction
        }
    }

    /// The request, for errors.
    var request: RecordedRequest { state.withLock { $0.interaction.request } }

    func begin() {
        let now = clock.now
        state.withLock { $0.time = now }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    // MARK: The request's body

    /// Notes that the source of the body was opened, possibly to send the body again.
    func beginBody() { state.withLock { ($0.sent, $0.isSentWhole) = (Data(), false) } }

    func take(_ piece: Exchange.BodyPiece) {
        state.withLock { state in
            switch piece {
            case .bytes(let data) where !data.isEmpty: state.sent += data
            case .later: break
            case .bytes, .end: state.isSentWhole = true
            }
        }
    }

    // MARK: The response

    func take(_ report: Exchange.Report) {
        let (head, codings, trailers) = (report.head, report.codings, report.trailers)
        let (chunks, end, now) = (report.body, report.end, clock.now)
        state.withLock { state in
            if let head { take(head, at: now, &state) }
            if let codings { state.interaction.response?.codings = codings }
            if !chunks.isEmpty { take(chunks, at: now, &state) }
            if let trailers { state.interaction.response?.trailers = trailers }
            if let end { take(end, &state) }
        }
    }

    private func take(_ head: Exchange.Head, at now: Duration, _ state: inout State) {
        var response = RecordedResponse(statusCode: head.statusCode, fields: head.fields)
        response.body.isJSON = head.fields.declareJSON
        if keepsPieces {
            response.delay = now - state.time
            response.body.pieces = []
            state.time = now
        }
        state.interaction.response = response
    }

    private func take(_ chunks: [Exchange.Chunk], at now: Duration, _ state: inout State) {
        var count = 0
        for chunk in chunks {
            count += chunk.count
            // Copied, because a chunk can share a block of the transport's memory with other
            // chunks.
            chunk.withUnsafeBytes { state.interaction.response?.body.data.append(contentsOf: $0) }
        }
        guard keepsPieces, count > 0 else { return }
        state.interaction.response?.body.pieces?.append(
            .init(delay: now - state.time, count: count))
        state.time = now
    }

    private func take(_ end: Exchange.End, _ state: inout State) {
        state.isOver = true
        state.interaction.wasSent = end.wasSent
        state.interaction.response?.version = end.metrics.protocolVersion
        if let failure = end.failure {
            state.interaction.end = failure.code == .cancelled ? .cancelled : .failure(failure)
        }
    }
}
