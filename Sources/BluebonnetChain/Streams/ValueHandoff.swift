import Bluebonnet

/// Passes values from one Swift task to another, each when the previous one has been taken.
///
/// It has its own lock: the lock of a request guards the state of its task, not of these Swift
/// tasks.
final class ValueHandoff<Element: Sendable>: Sendable {
    private struct State {
        /// The values that were given but not taken.
        ///
        /// While a giver waits, its value is the only one.
        var values = FIFO<Element>()
        var taker: UnsafeContinuation<Element?, Never>?
        var giver: UnsafeContinuation<Void, Never>?
        /// Whether a giver waits until its value is taken.
        var holdsGiver = true
        var isOver = false

        /// Returns the waiting taker, or keeps the value if there is none.
        mutating func give(_ element: Element) -> UnsafeContinuation<Element?, Never>? {
            if let taker = taker.take() { return taker }
            values.append(element)
            return nil
        }
    }

    private let state = Locked(State())

    /// Gives a value and waits until it is taken or dropped, or the handoff is released or ends.
    func give(_ element: Element) async {
        // Unsafe only in that resumption is not checked. It leaves the state before it resumes, so
        // it resumes once.
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

    /// Gives the last value without waiting until it is taken.
    func finish(with last: Element) {
        let taker = state.withLock { state -> UnsafeContinuation<Element?, Never>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state.give(last)
        }
        taker?.resume(returning: last)
    }

    /// Keeps later values until they are taken, and lets their giver continue.
    func release() {
        let giver = state.withLock { state in
            state.holdsGiver = false
            return state.giver.take()
        }
        giver?.resume()
    }

    /// Discards the waiting values, unless the last one was given, and lets their giver continue.
    func drop() {
        let (giver, dropped) = state.withLock { state in
            guard !state.isOver else { return (state.giver.take(), FIFO<Element>()) }
            defer { state.values = FIFO() }
            return (state.giver.take(), state.values)
        }
        withExtendedLifetime(dropped) {}
        giver?.resume()
    }

    /// Ends the handoff; waiting and later values are discarded.
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

    /// Returns the next value, or nil at the end.
    ///
    /// If a second reader starts to wait, the first one receives nil.
    func next() async -> Element? {
        // Unsafe only in that resumption is not checked. It leaves the state before it resumes, so
        // it resumes once.
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
