public import Bluebonnet

/// A transport that records the exchanges of another one.
///
/// It is the recording half of a ``Cassette``, which tests usually use. On its own, it records one
/// cassette:
///
/// ```swift
/// let recording = RecordingTransport(around: CurlTransport.shared)
/// let api = HTTPSessionManager(baseURL: URL(string: "https://example.org"), transport: recording)
/// …
/// try recording.save(to: file)
/// ```
///
/// The exchanges are not changed. Bodies are kept in memory until the transport is released. The
/// transport can be used from any thread at any time.
public final class RecordingTransport: Transport {
    private struct Take {
        /// The index among the interactions that were already on the cassette.
        let position: Int
        let recorder: InteractionRecorder
    }

    private struct State {
        /// The recordings, in the order in which the exchanges began.
        var takes: [Take] = []
        var savedCount = 0
    }

    private let below: any Transport
    private let redaction: Redactor
    private let keepsPieces: Bool
    private let warn: @Sendable (String) -> Void
    private let state = Locked(State())

    /// Creates a transport without recordings.
    ///
    /// - Parameters:
    ///   - transport: The transport to record.
    ///   - redaction: The rules for finding secrets. The default is `Redactor()`.
    ///   - keepsPieces: Whether the pieces of response bodies are recorded with the delays before
    ///     them. The default is false: replayed bodies arrive at once.
    public convenience init(
        around transport: any Transport, redaction: Redactor = Redactor(),
        keepsPieces: Bool = false
    ) {
        self.init(transport, redaction, keepsPieces: keepsPieces) { warning in
            FileHandle.standardError.write(Data("\(warning)\n".utf8))
        }
    }

    init(
        _ transport: any Transport, _ redaction: Redactor, keepsPieces: Bool,
        warn: @escaping @Sendable (String) -> Void
    ) {
        below = transport
        self.redaction = redaction
        self.keepsPieces = keepsPieces
        self.warn = warn
    }

    deinit {
        guard unsavedCount > 0 else { return }
        warn(
            "BluebonnetTesting: \(unsavedCount) recorded exchanges were not saved; call verify() of the cassette, "
                + "or save(to:) of the transport, at the end of the test")
    }

    /// Creates the transfer of an exchange.
    public func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        transfer(for: exchange, reportingTo: sink, through: below, position: .max)
    }

    func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink,
        through below: any Transport, position: Int
    ) -> any Transfer {
        let recorder = InteractionRecorder(exchange, keepsPieces: keepsPieces)
        var seen = exchange
        seen.body = RecordedBodySource.body(exchange.body, seenBy: recorder)
        let transfer = below.transfer(
            for: seen, reportingTo: RecordingSink(sink, recorder))
        return RecordingTransfer(transfer, recorder) { [self] in
            state.withLock { $0.takes.append(Take(position: position, recorder: recorder)) }
        }
    }

    /// Creates the transfer of an exchange that a transport in front of this one has taken over.
    func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink, position: Int
    ) -> any Transfer {
        transfer(
            for: exchange, reportingTo: sink, through: below.countingWork(on: exchange.clock),
            position: position)
    }

    // MARK: The cassette

    /// Writes the recordings, in the order in which the exchanges began.
    ///
    /// Exchanges that have not ended are omitted. The file is replaced atomically, and its folder
    /// is created. A later call writes the same recordings again, with any newer ones.
    ///
    /// - Parameter file: The cassette's file.
    /// - Throws: A ``CassetteError`` if the file cannot be written.
    public func save(to file: URL) throws(CassetteError) {
        try save([], to: file)
    }

    /// Writes the recordings among the interactions that were already on the cassette.
    func save(_ former: [Interaction], to file: URL) throws(CassetteError) {
        let takes = state.withLock { $0.takes }
        var (interactions, savedCount): ([Interaction], Int) = ([], 0)
        for position in 0...former.count {
            let isLast = position == former.count
            let recorded = takes.filter {
                $0.position == position || isLast && $0.position > position
            }
            .compactMap(\.recorder.interaction)
            savedCount += recorded.count
            interactions += recorded
            if !isLast { interactions.append(former[position]) }
        }
        try CassetteFile(url: file).write(interactions.redacted(by: redaction))
        state.withLock { [savedCount] in $0.savedCount = savedCount }
    }

    /// The number of exchanges that have ended and are not saved.
    private var unsavedCount: Int {
        let (takes, savedCount) = state.withLock { ($0.takes, $0.savedCount) }
        return takes.filter { $0.recorder.interaction != nil }.count - savedCount
    }

    /// Whether exchanges have ended since the last save.
    var hasUnsaved: Bool { unsavedCount > 0 }

    /// The requests whose exchanges have begun and not ended.
    var unfinished: [RecordedRequest] {
        state.withLock { $0.takes }.filter { $0.recorder.interaction == nil }
            .map(\.recorder.request)
    }
}

/// A sink that passes reports to a recorder before it passes them on.
private final class RecordingSink: ExchangeSink {
    private let sink: any ExchangeSink
    private let recorder: InteractionRecorder

    init(_ sink: any ExchangeSink, _ recorder: InteractionRecorder) {
        self.sink = sink
        self.recorder = recorder
    }

    func receive(_ report: consuming Exchange.Report) {
        recorder.take(report)
        sink.receive(report)
    }

    func gather(_ deliver: () -> Void) { sink.gather(deliver) }
}

private final class RecordingTransfer: Transfer {
    private let transfer: any Transfer
    private let recorder: InteractionRecorder
    private let note: @Sendable () -> Void

    /// Creates a transfer that calls `note` when it begins; a transfer that never begins is not
    /// recorded.
    init(
        _ transfer: any Transfer, _ recorder: InteractionRecorder,
        note: @escaping @Sendable () -> Void
    ) {
        self.transfer = transfer
        self.recorder = recorder
        self.note = note
    }

    func begin() {
        note()
        recorder.begin()
        transfer.begin()
    }

    func cancel() {
        recorder.cancel()
        transfer.cancel()
    }

    func abort() {
        recorder.cancel()
        transfer.abort()
    }

    func suspend() { transfer.suspend() }
    func resume() { transfer.resume() }
    func didConsume(_ count: Int) { transfer.didConsume(count) }
    func setPriority(_ priority: Float) { transfer.setPriority(priority) }
}
