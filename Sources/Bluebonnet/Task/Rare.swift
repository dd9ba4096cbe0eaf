/// A value that few owners change, in a box that is created when it is first changed.
///
/// Without it, every owner would have to create, move and destroy the whole value. The box belongs
/// to one owner, so do not copy it.
struct Rare<Value> {
    private final class Box {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private let initial: () -> Value
    private var box: Box?

    /// Creates a value that a closure returns as long as it is not changed.
    init(_ initial: @autoclosure @escaping () -> Value) {
        self.initial = initial
    }

    /// Whether the value was never changed.
    var isInitial: Bool { box == nil }

    var value: Value {
        _read {
            if let box { yield box.value } else { yield initial() }
        }
        _modify {
            let box = box ?? Box(initial())
            self.box = box
            yield &box.value
        }
    }
}
