import Foundation
import FoundationNetworking

/// Reads one pass of a body stream ahead, on a queue of its own.
final class BodyReader: Sendable {
    private static let pieceSize = 256 * 1024
    /// What a piece takes beside its bytes, so that many small ones count as what they are.
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
        /// Whether somebody found nothing and is to be told.
        var isAwaited = false
        var isReading = false
        var isStopped = false
        /// How many bytes were read since the last pause, where the body is throttled.
        var packetCount = 0
        var isPausing = false
    }

    private let stream: Exchange.BodyStream
    private let becomeReady: @Sendable () -> Void
    private let state = Locked(State())
    private let source = Locked<OpenSource?>(nil)
    /// Bytes held at most; of a throttled body one packet, or it would be sent in bursts.
    private let capacity: Int
    // A queue of its own: a source may wait for ever, and that is no other body's affair.
    private let queue = DispatchQueue(label: "bluebonnet.body")

    init(_ stream: Exchange.BodyStream, becomeReady: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.becomeReady = becomeReady
        capacity = min(2 * Self.pieceSize, stream.throttle?.packetSize ?? .max)
    }

    /// The next piece; keeps the source busy ahead of the reader.
    func next() -> Next {
        let (next, needsReading) = state.withLock { state -> (Next, Bool) in
            (take(from: &state), beginReading(&state))
        }
        if needsReading { queue.async { [self] in readAhead() } }
        return next
    }

    /// Whether there is room and reason to read, and nobody is doing it.
    private func beginReading(_ state: inout State) -> Bool {
        guard !state.isReading, !state.isPausing, !state.isAtEnd, state.failure == nil,
            !state.isStopped, state.heldCount < capacity
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
        let pieces = state.withLock { state in
            state.isStopped = true
            defer { state.pieces = FIFO() }
            return state.pieces
        }
        // Let go outside the lock: they go back to where they were read from.
        withExtendedLifetime(pieces) {}
    }

    /// Reads until enough is held; one run at a time, on the queue.
    private func readAhead() {
        repeat {
            let result = Result { () throws(Exchange.Failure) in try readPiece() }
            guard add(result) else { break }
        } while true
    }

    /// A piece, and whether the source ends with it.
    private func readPiece() throws(Exchange.Failure) -> (Data, isLast: Bool) {
        if source.withLock({ $0 == nil }) {
            let opened = OpenSource(try stream.open(), length: stream.length)
            source.withLock { $0 = opened }
        }
        guard let source = source.withLock({ $0 }) else { return (Data(), true) }
        let packetRest = stream.throttle.map { $0.packetSize - state.withLock { $0.packetCount } }
        return try source.read(upTo: min(Self.pieceSize, packetRest ?? .max))
    }

    /// Whether there is room and reason for more.
    private func add(_ result: Result<(Data, isLast: Bool), Exchange.Failure>) -> Bool {
        let (goesOn, isAwaited, pauses) = state.withLock { state in
            switch result {
            case .failure(let failure): state.failure = failure
            case .success((let piece, let isLast)):
                if !piece.isEmpty {
                    state.pieces.append(piece)
                    state.heldCount += piece.count + Self.pieceOverhead
                    state.packetCount += piece.count
                }
                state.isAtEnd = isLast
            }
            let isOver = state.isAtEnd || state.failure != nil || state.isStopped
            let pauses = !isOver && endsPacket(&state)
            let goesOn = !isOver && !pauses && state.heldCount < capacity
            state.isReading = goesOn
            defer { state.isAwaited = false }
            return (goesOn, state.isAwaited, pauses)
        }
        if pauses { pause() }
        if !goesOn, state.withLock({ $0.isAtEnd || $0.isStopped }) {
            source.withLock { $0 = nil }
        }
        if isAwaited { becomeReady() }
        return goesOn
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

    /// Reads on after the throttle's delay; no thread waits for that.
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
        if needsReading { queue.async { [self] in readAhead() } }
    }
}

/// A source under way, counted against the length that was announced for it.
private final class OpenSource: Sendable {
    private let source: any BodySource
    private let length: Int64?
    private let readCount = Locked<Int64>(0)

    init(_ source: any BodySource, length: Int64?) {
        self.source = source
        self.length = length
    }

    func read(upTo count: Int) throws(Exchange.Failure) -> (Data, isLast: Bool) {
        guard let length else {
            let piece = try source.read(upTo: count)
            return (piece, piece.isEmpty)
        }
        let before = readCount.withLock { $0 }
        let wanted = min(Int64(count), length - before)
        let piece = wanted > 0 ? try source.read(upTo: Int(wanted)) : Data()
        let total = before + Int64(piece.count)
        readCount.withLock { $0 = total }
        guard total < length else {
            // One more byte, or the end: libcurl itself never asks beyond the length.
            guard total == length, try source.read(upTo: 1).isEmpty else {
                throw Self.wrongLength("more than the \(length) bytes")
            }
            return (piece, true)
        }
        guard !piece.isEmpty else {
            throw Self.wrongLength("\(total) bytes instead of the \(length)")
        }
        return (piece, false)
    }

    private static func wrongLength(_ what: String) -> Exchange.Failure {
        Exchange.Failure(
            .requestBodyStreamExhausted,
            message: "the request's body has \(what) that were announced; it was not sent whole"
        )
    }
}
