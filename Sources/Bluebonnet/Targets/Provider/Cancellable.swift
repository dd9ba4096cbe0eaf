/// A call that can be cancelled.
public protocol Cancellable: Sendable {
    /// Whether it was cancelled.
    var isCancelled: Bool { get }

    /// Cancels the call, at any stage; does nothing once it has ended.
    ///
    /// Its completion is called with ``BluebonnetError/cancelled(_:)`` below ``TargetError/underlying(_:_:)``.
    func cancel()
}
