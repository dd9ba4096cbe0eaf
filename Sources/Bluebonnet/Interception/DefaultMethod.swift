import BluebonnetTransport

/// An optional method of a protocol that can be skipped for types that do not implement it.
///
/// That a type does not is known after its first call of the default. The set is bounded by the
/// number of types in the process.
package struct DefaultMethod: Sendable {
    /// The method of an interceptor for the end of an attempt, which would cost a Swift task.
    static let attemptDidEnd = DefaultMethod()
    /// The method of an event monitor for data, which would cost a copy.
    package static let receivedData = DefaultMethod()

    private let types = Locked<Set<ObjectIdentifier>>([])

    package func isKnown(of type: Any.Type) -> Bool {
        types.withLock { $0.contains(ObjectIdentifier(type)) }
    }

    package func wasCalled(of type: Any.Type) {
        types.withLock { _ = $0.insert(ObjectIdentifier(type)) }
    }
}
