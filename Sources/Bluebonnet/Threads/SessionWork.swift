import BluebonnetTransport

/// Tells a clock that wants to know it when a session works.
///
/// With any other clock it does nothing.
struct SessionWork: Sendable {
    let clock: (any WorkObservingClock)?

    init(_ clock: any SessionClock) {
        self.clock = clock as? any WorkObservingClock
    }

    var isObserved: Bool { clock != nil }

    func begin() { clock?.workDidBegin() }

    func end() { clock?.workDidEnd() }

    /// The closure as work that has begun now and ends when the closure, which has to be called once,
    /// returns.
    func counting(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let clock else { return body }
        clock.workDidBegin()
        return {
            body()
            clock.workDidEnd()
        }
    }
}
