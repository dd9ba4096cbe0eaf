/// A value that functions and test macros can change in place.
final class Held<Value: ~Copyable> {
    var value: Value

    init(_ value: consuming Value) {
        self.value = value
    }
}
