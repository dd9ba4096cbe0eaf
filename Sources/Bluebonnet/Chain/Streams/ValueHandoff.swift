import BluebonnetTransport

/// Hands values from one Swift task to another, each when the last was taken.
///
/// It has a lock of its own because neither of the two tasks is the one that the lock of a request guards.
final class ValueHandoff<Element: Sendable>: Sendable {
    private struct State {
        /// Values that were given and not taken; of these, one from a giver that waits is the only one.
        var values = FIFO<Element>()
        var taker: UnsafeContinuation<Element?, Never>?
        var giver: UnsafeContinuation<Void, Never>?
        /// Whether a giver waits until its value is taken.
        var holdsGiver = true
        var isOver = false

        /// Gives a value to a taker that waits, or keeps it.
        mutating func give(_ element: Element) -> UnsafeContinuation<Element?, Never>? {
            if let taker = taker.take() { return taker }
            values.append(element)
            return nil
        }
    }

    private let state = Locked(State())

    /// Gives a value, and waits until it is taken, dropped, or the handoff is released or ends.
    func give(_ element: Element) async {
        // Unsafe only in that it is not counted: it is taken out of the state to be resumed.
        await withUnsafeContinuation { continuation in
            let (taker, goesOn) = state.withLock { state in
                if state.isOver { return (nil as UnsafeContinuation<Element?, Never>?, true) }
                let taker = state.give(element)
                let goesOn = taker != nil || !state.holdsGiver
                if !goesOn { state.giver = continuation }
                return (taker, goesOn)
            }
            taker?.resume(returning: element)
            if goesOn { continuation.resume() }
        }
    }

    /// Gives the last value, and does not wait until it is taken.
    func finish(with last: Element) {
        let taker = state.withLock { state -> UnsafeContinuation<Element?, Never>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state.give(last)
        }
        taker?.resume(returning: last)
    }

    /// Keeps the values that come from now on until they are taken, and lets their giver go on.
    func release() {
        let giver = state.withLock { state in
            state.holdsGiver = false
            return state.giver.take()
        }
        giver?.resume()
    }

    /// Drops the values that wait, unless the last is there, and lets their giver go on.
    func drop() {
        let (giver, dropped) = state.withLock { state in
            guard !state.isOver else { return (state.giver.take(), FIFO<Element>()) }
            defer { state.values = FIFO() }
            return (state.giver.take(), state.values)
        }
        withExtendedLifetime(dropped) {}
        giver?.resume()
    }

    /// Ends the handoff; values that wait or are given later are dropped.
    func end() {
        let (taker, giver, dropped) = state.withLock { state in
            state.isOver = true
            defer { state.values = FIFO() }
            return (state.taker.take(), state.giver.take(), state.values)
        }
        withExtendedLifetime(dropped) {}
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
                let element = state.values.pop()
                if element == nil, !state.isOver { state.taker = continuation }
                return (
                    former, element == nil ? nil : state.giver.take(),
                    element != nil || state.isOver, element
                )
            }
            former?.resume(returning: nil)
            giver?.resume()
            if isThere { continuation.resume(returning: element) }
        }
    }
}
