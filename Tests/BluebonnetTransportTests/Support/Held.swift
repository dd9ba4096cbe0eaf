/// A value that functions and the macros of tests may change in place.
final class Held<Value: ~Copyable> {
    var value: Value

    init(_ value: consuming Value) {
        self.value = value
    }
}
