import Bluebonnet

/// The statistics of a cache, by host.
final class CacheRecord: Sendable {
    /// How a request was answered.
    struct Answer {
        let status: CacheStatus
        /// Whether the body came from the store, and not from a server.
        let isStored: Bool
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

    func count(_ answer: Answer, _ url: String, _ key: CacheKey, readByteCount: Int = 0) {
        let isSaved = answer.isStored || answer.status.isCollapsed
        let saved = isSaved ? readByteCount : 0
        let host = Self.host(of: key.url)
        hosts.withLock { hosts in
            let isKnown = hosts.count < Self.maximumHostCount || hosts[host] != nil
            hosts[isKnown ? host : "", default: CacheStatistics()]
                .count(answer.status, isStored: answer.isStored, savedByteCount: saved)
        }
        observer?(.answered(url: url, status: answer.status, savedByteCount: saved))
    }

    /// The host of a normalized URL, with its port, and without a user.
    private static func host(of url: String) -> String {
        var url = url
        return url.withUTF8 { bytes in
            var start = min(bytes.hasPrefix("https://") ? 8 : 7, bytes.count)
            var end = start
            while end < bytes.count {
                switch bytes[end] {
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                    return String(decoding: bytes[start..<end], as: UTF8.self)
                case UInt8(ascii: "@"): start = end + 1
                default: break
                }
                end += 1
            }
            return String(decoding: bytes[start...], as: UTF8.self)
        }
    }
}
