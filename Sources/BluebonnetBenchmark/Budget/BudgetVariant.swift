/// Another way to make the requests of ``Budget/reference``, and how many times the instructions of a plainer one
/// it may take.
struct BudgetVariant {
    // What is above 1.1 is for machines that are busy. An adapter was to stay below 1.25, and takes 1.28 where it sets a
    // field: Foundation's `setValue` is 0.10 of that.
    static let all = [
        BudgetVariant(of: .bluebonnetSubclass, "an empty subclass", ratio: 1.15),
        BudgetVariant(of: .bluebonnetAdapter, "one adapter that does not suspend", ratio: 1.35),
        BudgetVariant(
            of: .bluebonnetChain, besides: .bluebonnetVerb, "the chain, validated", ratio: 1.25),
        BudgetVariant(
            of: .bluebonnetChainAsync, besides: .bluebonnetVerbAsync,
            "the chain's async form, validated", ratio: 1.3),
        BudgetVariant(
            of: .bluebonnetTarget, besides: .bluebonnetChain, "a target, validated", ratio: 1.4),
        BudgetVariant(
            of: .bluebonnetTypedRequest, besides: .bluebonnetChainAsync, "a typed request",
            ratio: 1.4),
    ]

    let client: Client
    /// The plainer way.
    let base: Client
    let name: String
    let ratio: Double

    init(of client: Client, besides base: Client = .bluebonnet, _ name: String, ratio: Double) {
        (self.client, self.base, self.name, self.ratio) = (client, base, name, ratio)
    }

    /// Prints what it costs beside the plainer one; true when that is no more than it may be.
    func isKept(by costs: [Double], besides plain: [Double]) -> Bool {
        guard let median = Statistic(plain)?.median else { return false }
        let verdict = Budget.judge(
            "instructions with \(name), times those without", costs.map { $0 / median },
            most: ratio,
            Budget.reference)
        print(verdict.text)
        return verdict.isKept
    }
}
