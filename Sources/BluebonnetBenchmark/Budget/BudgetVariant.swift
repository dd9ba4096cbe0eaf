/// Another way to send the requests of ``Budget/reference``, with its largest ratio of instructions
/// to those of a simpler way.
struct BudgetVariant {
    // The excess over 1.1 is a margin for busy machines. An adapter that sets a field costs 1.28 to
    // 1.35 (goal: 1.25), of which 0.10 is Foundation's `setValue`. The last two variants cost 1.30.
    static let all = [
        BudgetVariant(of: .bluebonnetSubclass, "an empty subclass", ratio: 1.15),
        BudgetVariant(of: .bluebonnetAdapter, "one adapter that does not suspend", ratio: 1.4),
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
    /// The simpler way.
    let base: Client
    let name: String
    let ratio: Double

    init(of client: Client, besides base: Client = .bluebonnet, _ name: String, ratio: Double) {
        (self.client, self.base, self.name, self.ratio) = (client, base, name, ratio)
    }
}
