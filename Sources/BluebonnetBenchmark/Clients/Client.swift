/// The clients that are compared, in the order of the tables.
enum Client: String, CaseIterable, Sendable {
    /// Its completion handlers, and its typed async calls where a case is about types.
    case bluebonnet
    /// Its async calls, where a case compares the two.
    case bluebonnetAsync = "bluebonnet-async"
    case urlSession = "urlsession"
    /// The program bluebonnet-benchmark-c.
    case c
    /// The program bluebonnet-benchmark-go.
    case go
    /// The command, a process a request.
    case curl
    // For the budget alone: they are in no chart.
    /// Completion handlers on a subclass that overrides nothing.
    case bluebonnetSubclass = "bluebonnet-subclass"
    /// Completion handlers on a manager with one adapter.
    case bluebonnetAdapter = "bluebonnet-adapter"
    /// The verb with a completion handler, which makes its URL of a text.
    case bluebonnetVerb = "bluebonnet-verb"
    /// The chain with a completion handler, which does the same.
    case bluebonnetChain = "bluebonnet-chain"
    /// The verb's async form.
    case bluebonnetVerbAsync = "bluebonnet-verb-async"
    /// The async calls of Swift tasks that prefer the handlers' threads.
    case bluebonnetAsyncPreferred = "bluebonnet-async-preferred"
    /// The chain's async form.
    case bluebonnetChainAsync = "bluebonnet-chain-async"
    /// A provider's request with a completion handler, validated as the chain's.
    case bluebonnetTarget = "bluebonnet-target"
    /// A client's typed request.
    case bluebonnetTypedRequest = "bluebonnet-typed-request"

    /// Whether it is ours, and so what a comparison judges.
    var isOwn: Bool {
        switch self {
        case .bluebonnet, .bluebonnetAsync, .bluebonnetSubclass, .bluebonnetAdapter,
            .bluebonnetVerb, .bluebonnetChain, .bluebonnetVerbAsync, .bluebonnetChainAsync,
            .bluebonnetTarget, .bluebonnetTypedRequest, .bluebonnetAsyncPreferred:
            true
        case .urlSession, .c, .go, .curl: false
        }
    }

    func takesPart(in benchmarkCase: BenchmarkCase) -> Bool {
        switch self {
        case .bluebonnet: return true
        case .bluebonnetAsync: return benchmarkCase.comparesAsync
        case .bluebonnetSubclass, .bluebonnetAdapter, .bluebonnetVerb, .bluebonnetChain,
            .bluebonnetVerbAsync, .bluebonnetChainAsync, .bluebonnetTarget, .bluebonnetTypedRequest,
            .bluebonnetAsyncPreferred:
            return false
        case .go: return !benchmarkCase.isOnRequest
        case .urlSession, .c, .curl: break
        }
        switch benchmarkCase.work {
        case .download, .upload: return self == .curl
        case .amongHeld: return self == .c
        // On Linux there is no way to have URLSession trust an authority of one's own.
        case .get where benchmarkCase.listener.isEncrypted: return self == .c
        default: return self != .curl
        }
    }

    /// Whether it hands over bodies as bytes; of decoded ones it only has what they say.
    func keepsBytes(of benchmarkCase: BenchmarkCase) -> Bool {
        if case .typed = benchmarkCase.work { return self == .c }
        return true
    }
}
