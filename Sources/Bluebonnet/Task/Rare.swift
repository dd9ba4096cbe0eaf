/// A value that few owners change, in a box that is created when it is first changed.
///
/// Without it, every owner would have to create, move and destroy the whole value. An own box
/// belongs to one owner, so do not copy it.
struct Rare<Value> {
    // Sendable: a box that owners share is never changed, and an own box has one owner.
    final class Box: @unchecked Sendable {
        fileprivate var value: Value

        init(_ value: Value) { self.value = value }
    }

    private let initial: Box
    private var own: Box?

    /// Creates a value that is that of a shared box as long as it is not changed.
    init(_ initial: Box) { self.initial = initial }

    /// Whether the value was never changed.
    var isInitial: Bool { own == nil }

    var value: Value {
        // One `yield`, or the compiler would copy the whole value to read a part of it.
        _read {
            let box = own ?? initial
            yield box.value
        }
        _modify {
            let box = own ?? Box(initial.value)
            own = box
            yield &box.value
        }
    }
}
