import Bluebonnet

/// The statistics of a cache, by host.
final class CacheRecord: Sendable {
    /// How a request was answered.
    struct Answer {
        let status: CacheStatus
        /// Whether the body came from the store, and not from a server.
        let isStored: Bool
        /// The host of the URL.
        let host: String
    }

    private let hosts = Locked<[String: CacheStatistics]>([:])
    private let observer: (@Sendable (CacheEvent) -> Void)?

    /// The most hosts that are counted by themselves.
    private static let maximumHostCount = 1_000

    init(_ observer: (@Sendable (CacheEvent) -> Void)?) { self.observer = observer }

    var byHost: [String: CacheStatistics] { hosts.withLock { $0 } }

    var total: CacheStatistics {
        hosts.withLock { hosts in
            hosts.values.reduce(into: CacheStatistics()) { $0.add($1) }
        }
    }

    func count(_ answer: Answer, _ url: String, readByteCount: Int = 0) {
        let isSaved = answer.isStored || answer.status.isCollapsed
        let saved = isSaved ? readByteCount : 0
        let host = answer.host
        hosts.withLock { hosts in
            let isKnown = hosts.count < Self.maximumHostCount || hosts[host] != nil
            hosts[isKnown ? host : "", default: CacheStatistics()]
                .count(answer.status, isStored: answer.isStored, savedByteCount: saved)
        }
        observer?(.answered(url: url, status: answer.status, savedByteCount: saved))
    }
}
