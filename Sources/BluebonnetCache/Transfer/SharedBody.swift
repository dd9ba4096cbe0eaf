import Bluebonnet
import Dispatch
import Foundation

/// A body that arrives from the server, is stored, and is read by any number of callers, each at its own
/// speed.
///
/// What the store has written is read back from there by callers that are slow or have come late, so
/// that a large body takes little memory.
final class SharedBody: Sendable {
    /// The most bytes that the server may be ahead.
    static let window = 256 * 1_024
    /// The number of bytes in memory for callers that come later or are slow.
    static let kept = 1_048_576

    private let observer: (any WorkObservingClock)?
    private let consumed: @Sendable (Int) -> Void
    private let state: Locked<State>

    /// Creates an empty body.
    ///
    /// - Parameters:
    ///   - kept: The number of bytes in memory for callers that come later or are slow.
    ///   - observer: The clock, if it counts work.
    ///   - consumed: A closure that asks the server for as many more bytes.
    init(
        keeping kept: Int = SharedBody.kept, observer: (any WorkObservingClock)?,
        consumed: @escaping @Sendable (Int) -> Void
    ) {
        (self.observer, self.consumed) = (observer, consumed)
        state = Locked(State(kept: kept))
    }

    // MARK: Arrival

    /// The number of bytes that have arrived.
    var count: Int { state.withLock { $0.pieces.count } }

    func add(_ piece: Data) {
        let wakes = state.withLock { state in
            state.pieces.append(piece)
            state.owed += piece.count
            state.trim()
            return state.takeWakes()
        }
        store()
        wake(wakes)
        ask()
    }

    func finish(_ end: Exchange.End, _ trailers: [Exchange.Field]? = nil) {
        let wakes = state.withLock { state in
            if state.end == nil { (state.end, state.trailers) = (end, trailers) }
            return state.takeWakes()
        }
        // First, so that who has read the end finds the response.
        store()
        wake(wakes)
    }

    /// Has readers read on; many of them on another thread, because each one decodes its copy.
    private func wake(_ wakes: [@Sendable () -> Void]) {
        guard wakes.count > 4 else { return wakes.forEach { $0() } }
        observer?.workDidBegin()
        DispatchQueue.global().async { [observer] in
            for wake in wakes { wake() }
            observer?.workDidEnd()
        }
    }

    /// The end of the exchange that brought the body, with its trailers.
    var ending: Exchange.Report {
        state.withLock { Exchange.Report(trailers: $0.trailers, end: $0.end ?? Exchange.End()) }
    }

    /// Asks the server for more, unless it is far enough ahead.
    private func ask() {
        let count = state.withLock { state in
            guard state.owed > 0, state.pieces.count - state.readPosition < Self.window else {
                return 0
            }
            defer { state.owed = 0 }
            return state.owed
        }
        if count > 0 { consumed(count) }
    }

    // MARK: Storing

    /// Decides whether the body is stored.
    ///
    /// - Parameters:
    ///   - writer: What stores it; nil if nothing does.
    ///   - whenOver: A closure that is called once: with true when the whole body is written and has
    ///     ended without a failure, and the writer waits for its commit; with false when it is discarded
    ///     because it could not write.
    func store(
        in writer: (any CacheWriter)?,
        whenOver: @escaping @Sendable (_ isWhole: Bool) -> Void = { _ in }
    ) {
        let isRefused = state.withLock { state in
            guard case .undecided = state.storage else { return true }
            state.storage = writer.map { .writing($0, isWhole: whenOver) } ?? .none
            state.trim()
            return false
        }
        if isRefused {
            writer?.discard()
            whenOver(false)
        }
        store()
        ask()
    }

    /// Discards what was stored.
    func stopStoring() {
        let writer = state.withLock { state in
            state.stop()
            state.trim()
            return state.takeDiscarded()
        }
        writer?.discard()
        ask()
    }

    /// Gives the store what has arrived, unless another thread does.
    private func store() {
        enum Next {
            case write(any CacheWriter, Data)
            case end(@Sendable (Bool) -> Void)
            case nothing
        }
        func next(_ state: inout State) -> Next {
            guard !state.isWriting, case .writing(let writer, let whenOver) = state.storage else {
                state.isStoring = false
                return .nothing
            }
            if let bytes = state.pieces.bytes(from: state.written) {
                state.isWriting = true
                return .write(writer, bytes)
            }
            state.isStoring = false
            guard let end = state.end else { return .nothing }
            if end.failure == nil {
                state.storage = .over(writer)
                return .end(whenOver)
            }
            state.stop()
            return .nothing
        }
        let begins = state.withLock { state in
            guard !state.isStoring else { return false }
            state.isStoring = true
            return true
        }
        guard begins else { return }
        while true {
            switch state.withLock({ next(&$0) }) {
            case .write(let writer, let bytes):
                writer.write(bytes) { [self] in didWrite(bytes.count, $0) }
            case .end(let whenOver): return whenOver(true)
            case .nothing:
                state.withLock { $0.takeDiscarded() }?.discard()
                return
            }
        }
    }

    private func didWrite(_ count: Int, _ isWritten: Bool) {
        let (whenOver, discarded) = state.withLock { state in
            state.isWriting = false
            var whenOver: (@Sendable (Bool) -> Void)?
            if isWritten {
                state.written += count
            } else if case .writing(_, let closure) = state.storage {
                whenOver = closure
                state.stop()
            }
            state.trim()
            return (whenOver, state.takeDiscarded())
        }
        discarded?.discard()
        whenOver?(false)
        ask()
        store()
    }

    // MARK: Readers

    /// Creates a reader from the first byte; returns nil if that can no longer be read.
    func reader() -> Reader? {
        state.withLock { state in
            guard state.isOpen else { return nil }
            state.lastReader += 1
            state.readers[state.lastReader] = Reader.Position()
            return Reader(self, number: state.lastReader)
        }
    }

    private func next(_ number: Int, _ limit: Int, _ wake: @escaping @Sendable () -> Void)
        throws(Exchange.Failure) -> Exchange.BodyPiece
    {
        while true {
            switch state.withLock({ $0.next(number, limit, wake) }) {
            case .piece(let piece):
                ask()
                return piece
            case .failed(let failure): throw failure
            case .readBack(let writer, let range):
                writer.read(range) { [weak self] bytes in self?.didRead(bytes, for: number) }
            }
        }
    }

    private func didRead(_ bytes: Data?, for number: Int) {
        let wake = state.withLock { state in
            state.readers[number]?.readBack = .read(bytes.flatMap { $0.isEmpty ? nil : $0 })
            return state.readers[number]?.wake.take()
        }
        wake?()
    }

    private func leave(_ number: Int) {
        state.withLock { state in
            state.readers[number] = nil
            state.trim()
        }
        ask()
    }

    /// One caller's place in the body; releasing it ends the reading.
    final class Reader: BodySource {
        struct Position {
            enum ReadBack { case none, asked, read(Data?) }
            /// The number of bytes that were read.
            var offset = 0
            /// What the store has been asked for.
            var readBack = ReadBack.none
            var wake: (@Sendable () -> Void)?
        }

        private let body: SharedBody
        private let number: Int

        init(_ body: SharedBody, number: Int) { (self.body, self.number) = (body, number) }

        deinit { body.leave(number) }

        func next(
            upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
        ) throws(Exchange.Failure) -> Exchange.BodyPiece {
            try body.next(number, count, wake)
        }
    }
}
