/// An error in the arguments; its text repeats no value, since a value may be secret.
struct UsageError: Error, Equatable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
