public import FoundationNetworking

/// A response that a cache is about to store.
///
/// A hook changes its fields, for example to shorten its lifetime, or keeps it in memory. What RFC 9111
/// forbids is not stored, whatever the hook returns.
public struct CachedResponse: Sendable {
    /// What a cache calls with a response that it may store.
    public enum Hook: Sendable {
        /// Decides what is stored, or refuses with nil. It is called in a Swift task.
        case decide(@Sendable (CachedResponse) async -> CachedResponse?)
        /// Observes what is stored, without any effect.
        case observe(@Sendable (CachedResponse) -> Void)
    }

    /// The URL for which it is stored.
    public let url: String
    /// The status code.
    public let statusCode: Int
    /// The header fields, which say how long it can be used.
    public var fields: [Exchange.Field]
    /// Where it may be stored, by default anywhere.
    public var storagePolicy = URLCache.StoragePolicy.allowed

    /// Creates a proposal, for example in a cache of your own.
    public init(url: String, statusCode: Int, fields: [Exchange.Field]) {
        (self.url, self.statusCode, self.fields) = (url, statusCode, fields)
    }

    /// The value of the first field with a name, ignoring case.
    ///
    /// A new value replaces all fields with the name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.caseInsensitiveEquals(name) }?.value }
        set {
            fields.removeAll { $0.name.caseInsensitiveEquals(name) }
            if let newValue { fields.append(Exchange.Field(name: name, value: newValue)) }
        }
    }
}
