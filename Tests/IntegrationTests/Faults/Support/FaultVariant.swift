/// A scenario of either kind, as the table shows it.
struct FaultVariant: Sendable {
    let id: String
    /// The names of the errors with which it may end, and a dash for success.
    let results: [String]
    let retry: RetrySafety

    /// The mark of success.
    static let success = "–"

    init(_ fault: Fault) {
        id = fault.id
        results = fault.outcome.classNames
        retry = fault.retry ?? fault.outcome.retry
    }

    init(_ fault: CoveredFault) {
        id = fault.id
        results = [fault.className]
        retry = fault.retry
    }

    /// Every scenario, by number, then by letter.
    static let all =
        (Fault.all.map { FaultVariant($0) } + CoveredFault.all.map { FaultVariant($0) })
        .sorted { $0.order < $1.order }

    var number: Int { Int(id.prefix { $0.isNumber }) ?? 0 }

    /// The letter after the number; nil if there is none.
    var letter: Character? { id.last { $0.isLetter } }

    var canSucceed: Bool { results.contains(Self.success) }
    var canFail: Bool { results.contains { $0 != Self.success } }

    private var order: (Int, String) { (number, letter.map { String($0) } ?? "") }
}

extension FaultOutcome {
    /// The names of the kinds of error, and a dash for success.
    fileprivate var classNames: [String] {
        switch self {
        case .response, .failure: [className]
        case .either(let one, let other): one.classNames + other.classNames
        }
    }
}
