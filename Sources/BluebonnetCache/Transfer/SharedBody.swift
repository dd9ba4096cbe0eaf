import Bluebonnet
import Foundation

/// A body that arrives from the server, is stored, and is read by any number of callers, each at its own
/// speed.
final class SharedBody: Sendable {
    fileprivate struct State {
        /// The pieces that some reader still needs, or a later one might.
        var pieces: [Data] = []
        /// The number of bytes that have arrived.
        var count = 0
        /// The end, and the trailers before it.
        var end: Exchange.End?
        var trailers: [Exchange.Field]?
        var readers: [Int: Reader.Position] = [:]
        var lastReader = 0
        /// Whether later readers can begin, so that everything is kept.
        var isOpen = true
        /// The number of bytes that have arrived and been stored since the server was last asked for
        /// more.
        var owed = 0

        /// The position that the server must not be too far ahead of.
        ///
        /// While everything is kept anyway, that is the fastest reader's, so that a slow
        /// one does not hold up the others.
        var readPosition: Int {
            let positions = readers.values.map(\.offset)
            return (isOpen ? positions.max() : positions.min()) ?? count
        }
    }

    /// The most bytes that the server may be ahead.
    static let window = 256 * 1024

    private let maximumKept: Int
    private let consumed: @Sendable (Int) -> Void
    private let state = Locked(State())

    /// Creates an empty body.
    ///
    /// - Parameters:
    ///   - maximumKept: The most bytes that are kept for later readers.
    ///   - consumed: A closure that asks the server for as many more bytes.
    init(maximumKept: Int, consumed: @escaping @Sendable (Int) -> Void) {
        (self.maximumKept, self.consumed) = (maximumKept, consumed)
    }

    /// Adds the next bytes, and returns false if the body has become too long to be kept.
    func add(_ piece: Data) -> Bool {
        let (wakes, isKept) = state.withLock { state in
            state.pieces.append(piece)
            state.count += piece.count
            if state.count > maximumKept { state.isOpen = false }
            return (state.takeWakes(), state.isOpen)
        }
        for wake in wakes { wake() }
        return isKept
    }

    /// Counts bytes that were added and that the store is done with.
    func taken(_ count: Int) {
        state.withLock { $0.owed += count }
        ask()
    }

    func finish(_ end: Exchange.End, _ trailers: [Exchange.Field]? = nil) {
        let wakes = state.withLock { state in
            if state.end == nil { (state.end, state.trailers) = (end, trailers) }
            return state.takeWakes()
        }
        for wake in wakes { wake() }
    }

    /// Creates a reader from the first byte; returns nil if that is no longer kept.
    func reader() -> Reader? {
        state.withLock { state in
            guard state.isOpen else { return nil }
            state.lastReader += 1
            state.readers[state.lastReader] = Reader.Position()
            return Reader(self, number: state.lastReader)
        }
    }

    /// The end of the exchange that brought the body, with its trailers.
    var ending: Exchange.Report {
        state.withLock { Exchange.Report(trailers: $0.trailers, end: $0.end ?? Exchange.End()) }
    }

    /// Asks the server for more, unless it is far enough ahead.
    private func ask() {
        let count = state.withLock { state in
            guard state.owed > 0, state.count - state.readPosition < Self.window else { return 0 }
            defer { state.owed = 0 }
            return state.owed
        }
        if count > 0 { consumed(count) }
    }

    private func next(_ number: Int, _ limit: Int, _ wake: @escaping @Sendable () -> Void)
        throws(Exchange.Failure) -> Exchange.BodyPiece
    {
        let piece = state.withLock { state -> Result<Exchange.BodyPiece, Exchange.Failure> in
            guard var position = state.readers[number] else { return .success(.end) }
            guard position.index < state.pieces.count else {
                guard let end = state.end else {
                    position.wake = wake
                    state.readers[number] = position
                    return .success(.later)
                }
                return end.failure.map { .failure($0) } ?? .success(.end)
            }
            let piece = state.pieces[position.index].dropFirst(position.used).prefix(limit)
            position.used += piece.count
            position.offset += piece.count
            if position.used == state.pieces[position.index].count {
                (position.index, position.used) = (position.index + 1, 0)
            }
            state.readers[number] = position
            state.trim()
            return .success(.bytes(piece))
        }
        ask()
        return try piece.get()
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
            /// The index of the piece that is read next, and the number of its bytes that were read.
            var (index, used) = (0, 0)
            /// The number of bytes that were read in all.
            var offset = 0
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

extension SharedBody.State {
    fileprivate mutating func takeWakes() -> [@Sendable () -> Void] {
        var wakes: [@Sendable () -> Void] = []
        for (number, position) in readers {
            guard let wake = position.wake else { continue }
            wakes.append(wake)
            readers[number]?.wake = nil
        }
        return wakes
    }

    /// Releases the pieces that all readers have read.
    fileprivate mutating func trim() {
        guard !isOpen else { return }
        let surplus = min(readers.values.map(\.index).min() ?? pieces.count, pieces.count)
        // Rarely, because it moves the rest.
        guard surplus > 16 || surplus == pieces.count, surplus > 0 else { return }
        pieces.removeFirst(surplus)
        for number in readers.keys { readers[number]?.index -= surplus }
    }
}
