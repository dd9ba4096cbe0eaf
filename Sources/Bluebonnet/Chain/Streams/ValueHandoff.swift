import BluebonnetTransport

/// Hands values from one Swift task to another, each when the last was taken.
///
/// It has a lock of its own because neither of the two tasks is the one that the lock of a request guards.
final class ValueHandoff<Element: Sendable>: Sendable {
    private struct State {
        var element: Element?
        /// The last value, whose giver does not wait.
        var last: Element?
        var taker: UnsafeContinuation<Element?, Never>?
        var giver: UnsafeContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Locked(State())

    /// Gives a value, and waits until it is taken, dropped, or the handoff ends.
    func give(_ element: Element) async {
        // Unsafe only in that it is not counted: it is taken out of the state to be resumed.
        await withUnsafeContinuation { continuation in
            let taker = state.withLock { state -> UnsafeContinuation<Element?, Never>?? in
                if state.isOver { return .some(nil) }
                if let taker = state.taker.take() { return taker }
                (state.element, state.giver) = (element, continuation)
                return nil
            }
            guard let taker else { return }
            taker?.resume(returning: element)
            continuation.resume()
        }
    }

    /// Gives the last value, and does not wait until it is taken.
    func finish(with last: Element) {
        let taker = state.withLock { state -> UnsafeContinuation<Element?, Never>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            guard let taker = state.taker.take() else {
                state.last = last
                return nil
            }
            return taker
        }
        taker?.resume(returning: last)
    }

    /// Drops a value that waits, and lets its giver go on.
    func drop() {
        let (giver, dropped) = state.withLock { state in
            (state.giver.take(), state.element.take())
        }
        withExtendedLifetime(dropped) {}
        giver?.resume()
    }

    /// Ends the handoff; values that are given later are dropped.
    func end() {
        let (taker, giver) = state.withLock { state in
            state.isOver = true
            return (state.taker.take(), state.giver.take())
        }
        taker?.resume(returning: nil)
        giver?.resume()
    }

    /// The next value; nil at the end.
    ///
    /// When a second reader begins to wait, the first gets nil.
    func next() async -> Element? {
        // Unsafe only in that it is not counted: it is taken out of the state to be resumed.
        await withUnsafeContinuation { continuation in
            let (former, giver, isThere, element) = state.withLock { state in
                let former = state.taker.take()
                if let element = state.element.take() {
                    return (former, state.giver.take(), true, Optional(element))
                }
                if !state.isOver { state.taker = continuation }
                return (former, nil, state.isOver, state.last.take())
            }
            former?.resume(returning: nil)
            giver?.resume()
            if isThere { continuation.resume(returning: element) }
        }
    }
}
