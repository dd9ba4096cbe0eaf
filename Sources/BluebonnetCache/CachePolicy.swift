public import Foundation
public import Bluebonnet

/// What a cache stores and reuses, where RFC 9111 leaves it open.
public struct CachePolicy: Sendable {
    /// The partition of a private cache to which an exchange belongs.
    ///
    /// It is part of every look-up, so that a response for one user never answers another. An exchange
    /// for which it returns nil is not cached.
    public typealias Partition = @Sendable (Exchange) -> String?

    /// Whether the cache answers several users, and follows the rules of a shared cache.
    public var isShared: Bool { partition == nil }

    /// Finds the partition of an exchange; nil in a shared cache.
    public private(set) var partition: Partition?

    /// The part of the time since `Last-Modified` for which a response without an expiration time is
    /// fresh.
    ///
    /// The default is 0: such a response is validated before each use. RFC 9111, section 4.2.2, names
    /// 0.1 as typical.
    public var heuristicFraction = 0.0

    /// The longest lifetime, in seconds, that ``heuristicFraction`` can give.
    ///
    /// The default is a day.
    public var maximumHeuristicLifetime: TimeInterval = 86_400

    /// The largest body that is stored, in bytes.
    ///
    /// The default is 8 MiB.
    public var maximumBodySize = 8 * 1_048_576

    /// The most responses that are stored for one URL and partition, selected by `Vary`.
    ///
    /// The default is 16. The oldest one makes room.
    public var maximumVariantCount = 16

    /// The fields of requests that identify a user, beside `Authorization` and `Cookie`.
    ///
    /// None by default. Name a service's own, such as `X-Api-Key`: a shared cache then treats its
    /// requests like those with `Authorization`.
    public var credentialFields: Set<String> = []

    /// A cache that answers several users.
    ///
    /// It does not store responses that are `private` or set cookies. Responses to requests with
    /// `Authorization` or `Cookie` are stored only if they are `public`, or have `s-maxage` or
    /// `must-revalidate` (RFC 9111 section 3.5).
    public static let shared = CachePolicy(partition: nil)

    /// A cache for one user at a time, for example with the user's identifier as partition.
    ///
    /// - Parameter partition: Finds the partition of an exchange; nil if it must not be cached.
    /// - Returns: The policy.
    public static func `private`(partition: @escaping Partition) -> Self {
        Self(partition: partition)
    }

    private init(partition: Partition?) { self.partition = partition }
}
