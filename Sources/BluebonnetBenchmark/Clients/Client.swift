/// The clients of the comparison, in the order of the tables.
enum Client: String, CaseIterable, Sendable {
    /// Bluebonnet's completion handlers, or its typed async calls in a case with decoded bodies.
    case bluebonnet
    /// Bluebonnet's async calls, in cases that compare both forms.
    case bluebonnetAsync = "bluebonnet-async"
    case urlSession = "urlsession"
    /// The program BluebonnetBenchmarkC.
    case c
    /// The program BluebonnetBenchmarkGo.
    case go
    /// The command `curl`, with one process for each request.
    case curl
    // The budget alone uses the clients below, and no chart shows them.
    /// Completion handlers on a subclass that overrides nothing.
    case bluebonnetSubclass = "bluebonnet-subclass"
    /// Completion handlers on a manager with one adapter.
    case bluebonnetAdapter = "bluebonnet-adapter"
    /// Completion handlers on a manager with a log and metrics.
    case bluebonnetMonitored = "bluebonnet-monitored"
    /// A verb with a completion handler, which parses its URL from a string.
    case bluebonnetVerb = "bluebonnet-verb"
    /// The chain with a completion handler, which also parses its URL from a string.
    case bluebonnetChain = "bluebonnet-chain"
    /// A verb's async form.
    case bluebonnetVerbAsync = "bluebonnet-verb-async"
    /// The async calls in Swift tasks that prefer the threads of handlers.
    case bluebonnetAsyncPreferred = "bluebonnet-async-preferred"
    /// The chain's async form.
    case bluebonnetChainAsync = "bluebonnet-chain-async"
    /// A provider's request with a completion handler, validated like that of the chain.
    case bluebonnetTarget = "bluebonnet-target"
    /// A typed request of an `APIClient`.
    case bluebonnetTypedRequest = "bluebonnet-typed-request"
    /// A path below a base URL, with an awaited body.
    case bluebonnetPath = "bluebonnet-path"
    /// A path below a base URL, with an awaited typed answer.
    case bluebonnetPathTyped = "bluebonnet-path-typed"
    /// The same on a manager with one adapter.
    case bluebonnetPathAdapter = "bluebonnet-path-adapter"
    /// A request of an `APIClient` with a path parameter and a typed answer.
    case bluebonnetEndpoint = "bluebonnet-endpoint"
    /// Completion handlers, answered by a cache.
    case bluebonnetCacheHit = "bluebonnet-cache-hit"
    /// Completion handlers through a cache that stores nothing.
    case bluebonnetCacheMiss = "bluebonnet-cache-miss"
    /// Downloads through a cache that stores each response on disk.
    case bluebonnetCacheDiskStore = "bluebonnet-cache-disk-store"
    /// Downloads that a cache on disk answers.
    case bluebonnetCacheDiskHit = "bluebonnet-cache-disk-hit"

    /// Whether the client is part of this library and therefore judged by comparisons.
    var isOwn: Bool {
        switch self {
        case .bluebonnet, .bluebonnetAsync, .bluebonnetSubclass, .bluebonnetAdapter,
            .bluebonnetMonitored, .bluebonnetVerb, .bluebonnetChain, .bluebonnetVerbAsync,
            .bluebonnetChainAsync,
            .bluebonnetTarget, .bluebonnetTypedRequest, .bluebonnetAsyncPreferred, .bluebonnetPath,
            .bluebonnetPathTyped, .bluebonnetPathAdapter, .bluebonnetEndpoint,
            .bluebonnetCacheHit, .bluebonnetCacheMiss, .bluebonnetCacheDiskStore,
            .bluebonnetCacheDiskHit:
            true
        case .urlSession, .c, .go, .curl: false
        }
    }

    func takesPart(in benchmarkCase: BenchmarkCase) -> Bool {
        switch self {
        case .bluebonnet: return true
        case .bluebonnetAsync: return benchmarkCase.comparesAsync
        case .bluebonnetSubclass, .bluebonnetAdapter, .bluebonnetMonitored, .bluebonnetVerb,
            .bluebonnetChain,
            .bluebonnetVerbAsync, .bluebonnetChainAsync, .bluebonnetTarget, .bluebonnetTypedRequest,
            .bluebonnetAsyncPreferred, .bluebonnetPath, .bluebonnetPathTyped,
            .bluebonnetPathAdapter, .bluebonnetEndpoint, .bluebonnetCacheHit,
            .bluebonnetCacheMiss, .bluebonnetCacheDiskStore, .bluebonnetCacheDiskHit:
            return false
        case .go: return !benchmarkCase.isOnRequest
        case .urlSession, .c, .curl: break
        }
        switch benchmarkCase.work {
        case .download, .upload: return self == .curl
        case .amongHeld: return self == .c
        // On Linux, URLSession cannot be given an authority to trust.
        case .get where benchmarkCase.listener.isEncrypted: return self == .c
        default: return self != .curl
        }
    }

    /// Whether the client returns the bytes of bodies, rather than only decoded values.
    func keepsBytes(of benchmarkCase: BenchmarkCase) -> Bool {
        if case .typed = benchmarkCase.work { return self == .c }
        return true
    }
}
