import Bluebonnet
import Foundation

/// The URLs that an unsafe request makes invalid (RFC 9111 section 4.4).
enum Invalidation {
    /// Returns the URL of the request, and those of the same origin that the response names.
    ///
    /// - Returns: Nothing for a safe method or an error.
    static func urls(
        of exchange: Exchange, _ request: RequestRules, _ head: Exchange.Head
    ) -> [String] {
        guard request.isUnsafe, (200..<400).contains(head.statusCode) else { return [] }
        let target = CacheKey(url: exchange.url, partition: "")
        let named = ["Location", "Content-Location"].compactMap { head[$0] }
            .compactMap { CacheKey(url: $0, relativeTo: target) }
            .filter { $0.origin == target.origin && $0 != target }
        return [target.url] + Set(named.map(\.url))
    }
}

extension CacheKey {
    /// Creates a key from a URL reference; nil if it is none.
    init?(url reference: String, relativeTo base: CacheKey) {
        guard reference.utf8.count <= 65_536,
            let url = URL(string: reference, relativeTo: URL(string: base.url))
        else { return nil }
        self.init(url: url.absoluteString, partition: base.partition)
    }
}
