/// A case of the matrix that is no wire script, or that a test elsewhere has shown already.
struct CoveredFault: Sendable {
    let id: String
    /// What happens.
    let name: String
    /// What the library does.
    let reaction: String
    /// The kind of error, as ``FaultOutcome/className`` says it.
    let className: String
    let retry: RetrySafety
    /// The tests that show it.
    let tests: [Place]

    /// A suite, by the name of its file without the extension, and the sentence of a test in it.
    struct Place: Sendable {
        let suite: String
        let sentence: String

        init(_ suite: String, _ sentence: String) {
            self.suite = suite
            self.sentence = sentence
        }
    }

    init(
        _ id: String, _ name: String, _ kind: FaultClass?, _ reaction: String, _ tests: Place...
    ) {
        self.id = id
        self.name = name
        self.reaction = reaction
        className = kind?.name ?? "–"
        retry = kind?.retry ?? .notNeeded
        self.tests = tests
    }
}
