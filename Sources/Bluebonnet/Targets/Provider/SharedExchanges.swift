import Foundation
import FoundationNetworking

/// The exchanges of a provider that calls share: the first call that sends a request leads, and equal ones that come
/// before its end join it.
final class SharedExchanges: Sendable {
    /// What is equal where an exchange is shared: the request as plugins have prepared it, so that one user's response
    /// never reaches another, and what is accepted.
    struct Key: Hashable, Sendable {
        private let url: URL?
        private let method: String
        private let headers: [String: String]
        private let body: Data?
        private let acceptedCodes: [Int]
        private let handlesCookies: Bool
        private let timeout: TimeInterval
        private let cachePolicy: URLRequest.CachePolicy
        private let isStubbed: Bool
        private let distinctions: [[String?]?]

        init(
            _ request: URLRequest, acceptedCodes: [Int], isStubbed: Bool,
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

    /// One exchange, with all its attempts.
    final class SharedExchange: Sendable {
        let key: Key
        /// The request whose outcome all get.
        let request: Request
        /// The call that has made it.
        let leader: TargetCall
        /// Whether no call would have its plugins hear how it ended.
        private let isUnheard = Locked(false)

        fileprivate init(_ key: Key, _ request: Request, _ leader: TargetCall) {
            self.key = key
            self.request = request
            self.leader = leader
        }

        /// Notes that the call that leads has ended without a response.
        func loseHearing() { isUnheard.withLock { $0 = true } }

        /// Whether the call that asks is to have its plugins hear how the exchange ended: true once.
        func takeHearing() -> Bool {
            isUnheard.withLock { isUnheard in
                defer { isUnheard = false }
                return isUnheard
            }
        }
    }

    /// What a call is to an exchange.
    enum Share {
        case leads(SharedExchange)
        case joined(SharedExchange)

        /// The call that has made the request.
        var leader: TargetCall { exchange.leader }
        /// The request whose outcome all get.
        var request: Request { exchange.request }

        fileprivate var exchange: SharedExchange {
            switch self {
            case .leads(let exchange), .joined(let exchange): exchange
            }
        }
    }

    private struct Entry {
        let exchange: SharedExchange
        /// How many calls want its outcome.
        var count = 1
    }

    private let entries = Locked<[Key: Entry]>([:])
    private let methods: Set<HTTPMethod>

    init(of methods: Set<HTTPMethod>) {
        self.methods = methods
    }

    /// Whether a request may share its exchange: one of a method that is shared, whose body, if any, is in memory, and
    /// whose response goes there.
    func accepts(_ request: URLRequest, _ task: TargetTask) -> Bool {
        switch task {
        case .downloadDestination, .downloadParameters, .uploadFile, .uploadMultipartFormData,
            .uploadCompositeMultipartFormData:
            false
        default: request.httpBodyStream == nil && methods.contains(request.method ?? .get)
        }
    }

    /// Joins the exchange of an equal request, or leads one.
    func join(_ key: Key, with request: Request, of call: TargetCall) -> Share {
        entries.withLock { entries in
            if let entry = entries[key], !entry.exchange.request.isOver {
                guard entry.exchange.request != request else { return .leads(entry.exchange) }
                entries[key]?.count += 1
                return .joined(entry.exchange)
            }
            let exchange = SharedExchange(key, request, call)
            entries[key] = Entry(exchange: exchange)
            return .leads(exchange)
        }
    }

    /// Leaves an exchange, and returns its request if no call is left, to be cancelled.
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

    /// How many exchanges are under way.
    var count: Int { entries.withLock { $0.count } }
}

extension Request {
    /// Whether it has an outcome, or will not have one.
    fileprivate var isOver: Bool {
        delegate.state.withLock { $0.run.stage.isFinished || $0.run.isCancelled }
    }
}
