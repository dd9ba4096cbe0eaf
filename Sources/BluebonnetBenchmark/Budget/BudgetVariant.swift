/// Another way to send the requests of ``Budget/reference``, with its largest ratio of instructions
/// to those of a simpler way.
struct BudgetVariant {
    // The excess over 1.1 is a margin for busy machines. An adapter that sets a field costs 1.33 to
    // 1.42 (goal: 1.25), of which 0.10 is Foundation's `setValue` and 0.05 the context of the caller. A
    // target and a typed request cost 1.30. A hit of the cache costs 0.55 (goal: 0.5). Log and
    // metrics cost 1.25 to 1.3 (goal: 1.3).
    static let all = [
        BudgetVariant(of: .bluebonnetSubclass, "an empty subclass", ratio: 1.15),
        BudgetVariant(of: .bluebonnetAdapter, "one adapter that does not suspend", ratio: 1.44),
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
        BudgetVariant(of: .bluebonnetCacheHit, "a hit of the cache", ratio: 0.56),
        BudgetVariant(
            of: .bluebonnetMonitored, "a log line and metrics for each request", ratio: 1.35),
    ]

    /// The calls that most programs contain, as multiples of C's request.
    ///
    /// The last one is a multiple of the call without an adapter.
    // They cost 2.22 to 2.29, 2.47 to 2.57, 2.73 and 1.29. The goals are 2.0, 2.3, 2.45 and 1.16.
    // Foundation's `setValue`, which the adapter calls, is 0.07 of the last one.
    static let calls = [
        BudgetVariant(of: .bluebonnetPath, besides: .c, "a path below a base URL", ratio: 2.35),
        BudgetVariant(
            of: .bluebonnetPathTyped, besides: .c, "a path with a typed answer", ratio: 2.69),
        BudgetVariant(
            of: .bluebonnetEndpoint, besides: .c, "an APIRequest with a typed answer", ratio: 2.95),
        BudgetVariant(
            of: .bluebonnetPathAdapter, besides: .bluebonnetPathTyped,
            "one adapter of a typed answer", ratio: 1.34),
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
