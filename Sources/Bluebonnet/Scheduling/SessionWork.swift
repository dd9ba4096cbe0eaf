import BluebonnetTransport

/// Reports the work of a session to a clock that observes work.
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

    /// Returns a closure that counts as work from now until it returns.
    ///
    /// The closure must be called once.
    func counting(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let clock else { return body }
        clock.workDidBegin()
        return {
            body()
            clock.workDidEnd()
        }
    }
}
