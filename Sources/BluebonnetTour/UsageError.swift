/// An error in the arguments.
struct UsageError: Error, Equatable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
