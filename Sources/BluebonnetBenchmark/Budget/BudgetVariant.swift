/// Another way to make the requests of ``Budget/reference``, and how many times the instructions of a plainer one
/// it may take.
struct BudgetVariant {
    // What is above 1.1 is for machines that are busy. An adapter was to stay below 1.25, and takes 1.28 to 1.35 where it
    // sets a field: Foundation's `setValue` is 0.10 of that. A target and a typed request take 1.30.
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
    /// The plainer way.
    let base: Client
    let name: String
    let ratio: Double

    init(of client: Client, besides base: Client = .bluebonnet, _ name: String, ratio: Double) {
        (self.client, self.base, self.name, self.ratio) = (client, base, name, ratio)
    }
}
