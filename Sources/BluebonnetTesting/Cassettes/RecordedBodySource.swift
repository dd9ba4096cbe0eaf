import Bluebonnet

/// A source of a request's body that passes a copy of each piece to a recorder.
final class RecordedBodySource: BodySource {
    private let source: any BodySource
    private let recorder: InteractionRecorder

    private init(_ source: any BodySource, _ recorder: InteractionRecorder) {
        self.source = source
        self.recorder = recorder
    }

    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        let piece = try source.next(upTo: count, whenReady: wake)
        recorder.take(piece)
        return piece
    }

    /// Returns the same body, which the recorder observes as it is read; nothing is read twice.
    static func body(
        _ body: Exchange.Body?, seenBy recorder: InteractionRecorder
    ) -> Exchange.Body? {
        guard case .stream(var stream)? = body else { return body }
        let open = stream.open
        stream.open = { () throws(Exchange.Failure) in
            let source = try open()
            recorder.beginBody()
            return RecordedBodySource(source, recorder)
        }
        return .stream(stream)
    }
}
