import Bluebonnet

/// Converts the pieces of a stream to values, and delivers them one by one.
final class ValueConsumer<Values: StreamValues, Failure: Error>: StreamConsumer,
    @unchecked Sendable
{
    typealias Stream = DataStreamRequest.Stream<Values.Value, Failure>

    // @unchecked because of this property: only the reader of the stream changes it, one call at a
    // time.
    private var values: Values
    private let delegate: TaskDelegate
    private let token: DataStreamRequest.CancellationToken
    private let endsOnFailure: Bool
    /// Converts an error to the failure type of the stream; returns nil if that type is `Never`.
    private let failure: @Sendable (BluebonnetError) -> Failure?
    /// Delivers an event and returns the error that the receiver throws.
    private let deliver: @Sendable (Stream) async -> (any Error)?
    /// Holds the values that wait to be read; nil if a handler receives them.
    private let handoff: ValueHandoff<Stream>?

    init(
        _ values: Values, of request: DataStreamRequest, endsOnFailure: Bool,
        failure: @escaping @Sendable (BluebonnetError) -> Failure?,
        into handoff: ValueHandoff<Stream>? = nil,
        deliver: @escaping @Sendable (Stream) async -> (any Error)?
    ) {
        self.values = values
        delegate = request.delegate
        token = DataStreamRequest.CancellationToken(request: request)
        self.endsOnFailure = endsOnFailure
        self.failure = failure
        self.deliver = deliver
        self.handoff = handoff
    }

    func receive(_ piece: Data) async {
        // Pieces after the end of the stream are ignored.
        guard wantsValues else { return }
        var results: [Result<Values.Value, BluebonnetError>] = []
        var end: BluebonnetError?
        do throws(BluebonnetError) {
            try values.add(piece, to: &results)
        } catch {
            end = error
        }
        for result in results { await handle(result) }
        guard let end, wantsValues else { return }
        await tell(of: end)
        delegate.endStream(with: end)
    }

    func finish() async {
        guard wantsValues else { return }
        var results: [Result<Values.Value, BluebonnetError>] = []
        values.finish(to: &results)
        for result in results { await handle(result) }
    }

    private var wantsValues: Bool { delegate.wantsStreamValues }

    private func handle(_ result: Result<Values.Value, BluebonnetError>) async {
        guard wantsValues else { return }
        switch result {
        case .success(let value): await tell(.stream(.success(value)))
        case .failure(let error):
            await tell(of: error)
            if endsOnFailure { delegate.endStream(with: error) }
        }
    }

    private func tell(of error: BluebonnetError) async {
        if let failure = failure(error) { await tell(.stream(.failure(failure))) }
    }

    func release() { handoff?.release() }

    func interrupt() { handoff?.drop() }

    func complete(_ outcome: TaskOutcome) async {
        let completion = DataStreamRequest.Completion(
            request: outcome.request, head: outcome.head, metrics: outcome.metrics,
            error: outcome.error)
        await tell(.complete(completion))
    }

    private func tell(_ event: DataStreamRequest.Event<Values.Value, Failure>) async {
        if let error = await deliver(Stream(event: event, token: token)) {
            delegate.endStream(with: .unreadablePiece(error, nil))
        }
    }
}
