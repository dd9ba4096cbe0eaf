import Foundation
import FoundationNetworking

/// A reader that reads one pass of a body stream ahead, on a queue.
final class BodyReader: Sendable {
    private static let pieceSize = 256 * 1024
    /// The bytes that a piece counts for besides its contents, which also limits small pieces.
    private static let pieceOverhead = 64

    enum Next {
        case piece(Data)
        case nothingYet
        case end
        case failure(Exchange.Failure)
    }

    private struct State {
        var pieces = FIFO<Data>()
        var heldCount = 0
        var isAtEnd = false
        var failure: Exchange.Failure?
        /// Whether the loop found no piece and waits for a call of `becomeReady`.
        var isAwaited = false
        var isReading = false
        /// Whether the source has returned `later` and has not woken the reader since.
        var isWaiting = false
        /// Whether the source has woken the reader since the last read began.
        var isWoken = false
        var isStopped = false
        /// The bytes read since the last pause of a throttled body.
        var packetCount = 0
        var isPausing = false
    }

    private let stream: Exchange.BodyStream
    private let becomeReady: @Sendable () -> Void
    private let state = Locked(State())
    private let source = Locked<OpenSource?>(nil)
    /// The most bytes to hold.
    ///
    /// A throttled body holds one packet, or it would be sent in bursts.
    private let capacity: Int
    private let queue: DispatchQueue
    private static let sharedQueue = DispatchQueue(label: "bluebonnet.bodies")

    init(_ stream: Exchange.BodyStream, becomeReady: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.becomeReady = becomeReady
        capacity = min(2 * Self.pieceSize, stream.throttle?.packetSize ?? .max)
        // A source can block forever, which must not delay other bodies.
        queue = stream.mayBlock ? DispatchQueue(label: "bluebonnet.body") : Self.sharedQueue
    }

    /// Returns the next piece, and reads ahead if there is room.
    func next() -> Next {
        let (next, needsReading) = state.withLock { state -> (Next, Bool) in
            (take(from: &state), beginReading(&state))
        }
        if needsReading { startReading() }
        return next
    }

    private func startReading() {
        queue.async { [self] in readAhead() }
    }

    /// Returns whether to start reading, and marks the read as begun if so.
    private func beginReading(_ state: inout State) -> Bool {
        guard !state.isReading, !state.isWaiting, !state.isPausing, !state.isAtEnd,
            state.failure == nil, !state.isStopped, state.heldCount < capacity
        else { return false }
        state.isReading = true
        return true
    }

    private func take(from state: inout State) -> Next {
        if let piece = state.pieces.pop() {
            state.heldCount -= piece.count + Self.pieceOverhead
            return .piece(piece)
        }
        if let failure = state.failure { return .failure(failure) }
        if state.isAtEnd { return .end }
        state.isAwaited = true
        return .nothingYet
    }

    func stop() {
        let (pieces, isReading) = state.withLock { state in
            state.isStopped = true
            defer { state.pieces = FIFO() }
            return (state.pieces, state.isReading)
        }
        // Released outside the lock, because their memory goes back to the source.
        withExtendedLifetime(pieces) {}
        // Not on this thread, the loop's, because closing a source can block.
        if !isReading { queue.async { [self] in close() } }
    }

    /// Reads until enough bytes are held.
    ///
    /// Runs on the queue, one call at a time.
    private func readAhead() {
        repeat {
            let result = Result { () throws(Exchange.Failure) in try readPiece() }
            guard add(result) else { break }
        } while true
    }

    /// Reads a piece from the source, which is opened for the first one.
    private func readPiece() throws(Exchange.Failure) -> OpenSource.Piece {
        if source.withLock({ $0 == nil }) {
            let opened = OpenSource(try stream.open(), length: stream.length)
            source.withLock { $0 = opened }
        }
        guard let source = source.withLock({ $0 }) else { return .last(Data()) }
        let packetCount = state.withLock { state in
            // This read also answers all earlier wake-ups.
            state.isWoken = false
            return state.packetCount
        }
        let packetRest = stream.throttle.map { $0.packetSize - packetCount }
        return try source.next(upTo: min(Self.pieceSize, packetRest ?? .max)) { [weak self] in
            self?.wake()
        }
    }

    /// Reads from the source again, now or after the current read.
    ///
    /// Can be called on any thread.
    private func wake() {
        let needsReading = state.withLock { state in
            state.isWoken = true
            state.isWaiting = false
            return beginReading(&state)
        }
        if needsReading { startReading() }
    }

    /// Adds the result of a read, and returns whether to continue reading immediately.
    private func add(_ result: Result<OpenSource.Piece, Exchange.Failure>) -> Bool {
        let (step, tellsLoop) = state.withLock { state in
            var hasNews = true
            switch result {
            case .failure(let failure): state.failure = failure
            case .success(.later): hasNews = false
            case .success(.bytes(let piece)): hold(piece, in: &state)
            case .success(.last(let piece)):
                if !piece.isEmpty { hold(piece, in: &state) }
                state.isAtEnd = true
            }
            let tellsLoop = hasNews && state.isAwaited
            if tellsLoop { state.isAwaited = false }
            let step = nextStep(&state, isLater: !hasNews)
            state.isReading = step == .goOn || step == .askAgain
            return (step, tellsLoop)
        }
        switch step {
        case .goOn, .wait: break
        // Queued, because a source that wakes its reader each time would monopolize the queue.
        case .askAgain: startReading()
        case .pause: pause()
        case .close: close()
        }
        if tellsLoop { becomeReady() }
        return step == .goOn
    }

    private enum Step {
        case goOn
        case askAgain
        /// Waits until there is room or the source wakes the reader.
        case wait
        case pause
        case close
    }

    private func hold(_ piece: Data, in state: inout State) {
        state.pieces.append(piece)
        state.heldCount += piece.count + Self.pieceOverhead
        state.packetCount += piece.count
    }

    private func nextStep(_ state: inout State, isLater: Bool) -> Step {
        if state.isAtEnd || state.failure != nil || state.isStopped { return .close }
        if isLater {
            state.isWaiting = !state.isWoken
            return state.isWaiting ? .wait : .askAgain
        }
        if endsPacket(&state) { return .pause }
        return state.heldCount < capacity ? .goOn : .wait
    }

    private func close() {
        let source = source.withLock { $0.take() }
        withExtendedLifetime(source) {}
    }

    // MARK: The throttle

    private func endsPacket(_ state: inout State) -> Bool {
        guard let throttle = stream.throttle, state.packetCount >= throttle.packetSize else {
            return false
        }
        state.packetCount = 0
        state.isPausing = true
        return true
    }

    /// Continues reading after the throttle's delay, without blocking a thread.
    private func pause() {
        guard let throttle = stream.throttle else { return }
        Task { [weak self] in
            try? await throttle.clock.sleep(for: throttle.delay)
            self?.endPause()
        }
    }

    private func endPause() {
        let needsReading = state.withLock { state in
            state.isPausing = false
            return beginReading(&state)
        }
        if needsReading { startReading() }
    }
}
