import BluebonnetChain

/// The exchanges that the calls of a provider share.
///
/// The first call that sends a request leads the exchange. Calls with an equal request join it
/// until it ends.
final class SharedExchanges: Sendable {
    /// The properties that must be equal for calls to share an exchange.
    ///
    /// They include the accepted status codes. The request is compared as plugins have prepared it,
    /// so that the response of one user never reaches another user.
    struct Key: Hashable, Sendable {
        private let url: URL?
        private let method: String
        private let headers: [String: String]
        private let body: Data?
        private let acceptedCodes: Set<Int>
        private let handlesCookies: Bool
        private let timeout: TimeInterval
        private let cachePolicy: URLRequest.CachePolicy
        private let isStubbed: Bool
        private let distinctions: [[String?]?]

        init(
            _ request: URLRequest, acceptedCodes: Set<Int>, isStubbed: Bool,
            distinctions: [[String?]?]
        ) {
            url = request.url
            method = request.httpMethod ?? "GET"
            headers = request.allHTTPHeaderFields ?? [:]
            body = request.httpBody
            self.acceptedCodes = acceptedCodes
            handlesCookies = request.httpShouldHandleCookies
            timeout = request.timeoutInterval
            cachePolicy = request.cachePolicy
            self.isStubbed = isStubbed
            self.distinctions = distinctions
        }
    }

    /// A shared exchange with all its attempts.
    final class SharedExchange: Sendable {
        let key: Key
        /// The request whose outcome all calls receive.
        let request: Request
        /// The call that created the request.
        let leader: TargetCall
        /// Whether the plugins of another call still have to be notified of the end.
        private let isUnheard = Locked(false)

        fileprivate init(_ key: Key, _ request: Request, _ leader: TargetCall) {
            self.key = key
            self.request = request
            self.leader = leader
        }

        /// Notes that the leading call has ended without a response.
        func loseHearing() { isUnheard.withLock { $0 = true } }

        /// Returns true once if the plugins of the calling call have to be notified of the end.
        func takeHearing() -> Bool {
            isUnheard.withLock { isUnheard in
                defer { isUnheard = false }
                return isUnheard
            }
        }
    }

    /// The role of a call in an exchange.
    enum Share {
        case leads(SharedExchange)
        case joined(SharedExchange)

        /// The call that created the request.
        var leader: TargetCall { exchange.leader }
        /// The request whose outcome all calls receive.
        var request: Request { exchange.request }

        fileprivate var exchange: SharedExchange {
            switch self {
            case .leads(let exchange), .joined(let exchange): exchange
            }
        }
    }

    private struct Entry {
        let exchange: SharedExchange
        /// The number of calls that wait for the outcome.
        var count = 1
    }

    private let entries = Locked<[Key: Entry]>([:])
    private let methods: Set<HTTPMethod>

    init(of methods: Set<HTTPMethod>) {
        self.methods = methods
    }

    /// Returns whether a request can share its exchange.
    ///
    /// Its method must be one that is shared, its body must be absent or in memory, and its
    /// response must go to memory.
    func accepts(_ request: URLRequest, _ task: TargetTask) -> Bool {
        switch task {
        case .downloadDestination, .downloadParameters, .uploadFile, .uploadMultipartFormData,
            .uploadCompositeMultipartFormData:
            false
        default: request.httpBodyStream == nil && methods.contains(request.method ?? .get)
        }
    }

    /// Joins the exchange of an equal request, or leads a new one.
    func join(_ key: Key, with request: Request, of call: TargetCall) -> Share {
        entries.withLock { entries in
            if let entry = entries[key], !entry.exchange.request.delegate.isOver {
                guard entry.exchange.request != request else { return .leads(entry.exchange) }
                entries[key]?.count += 1
                return .joined(entry.exchange)
            }
            let exchange = SharedExchange(key, request, call)
            entries[key] = Entry(exchange: exchange)
            return .leads(exchange)
        }
    }

    /// Leaves an exchange, and returns its request for cancellation if no other call waits for it.
    func leave(_ share: Share) -> Request? {
        let exchange = share.exchange
        return entries.withLock { entries in
            guard var entry = entries[exchange.key], entry.exchange === exchange else { return nil }
            entry.count -= 1
            entries[exchange.key] = entry.count == 0 ? nil : entry
            return entry.count == 0 ? exchange.request : nil
        }
    }

    /// Removes an exchange that has ended.
    func end(_ exchange: SharedExchange) {
        entries.withLock { entries in
            if entries[exchange.key]?.exchange === exchange { entries[exchange.key] = nil }
        }
    }

    /// The number of exchanges under way.
    var count: Int { entries.withLock { $0.count } }
}
