/// A row of the documentation's table: a fault by its number, or those variants of it that end alike.
struct FaultGroup: Sendable {
    /// How the tasks of a group end.
    enum Ending: Sendable {
        case succeeds
        case fails
        /// The variants with these letters can fail, and the others succeed.
        case mixed(failing: String)
    }

    /// The number of the fault in the matrix.
    let number: Int
    /// The letters of the variants; nil for all of them.
    let letters: String?
    /// What the server, the network or the system does.
    let title: String
    let ending: Ending
    /// What the task or the library does.
    let summary: String

    init(
        _ number: Int, only letters: String? = nil, _ title: String, _ ending: Ending,
        _ summary: String
    ) {
        self.number = number
        self.letters = letters
        self.title = title
        self.ending = ending
        self.summary = summary
    }

    /// Every group, in the order of the tables.
    static let all = FaultTheme.all.flatMap(\.groups)

    /// The scenarios of the group, in their order.
    var variants: [FaultVariant] { FaultVariant.all.filter(contains) }

    func contains(_ variant: FaultVariant) -> Bool {
        guard variant.number == number else { return false }
        guard let letters else { return true }
        return variant.letter.map { letters.contains($0) } ?? false
    }

    /// Whether the group describes how a scenario ends.
    func covers(_ variant: FaultVariant) -> Bool {
        switch ending {
        case .succeeds: !variant.canFail
        case .fails: !variant.canSucceed
        case .mixed(let failing):
            failing.contains { $0 == variant.letter } == variant.canFail
        }
    }
}
