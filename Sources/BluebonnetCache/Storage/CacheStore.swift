public import Bluebonnet
import Foundation

/// A place for the responses of a cache.
///
/// A ``CachingTransport`` decides what is stored and used; a store finds, keeps and forgets. All methods
/// can be called on any thread, also on that of the transport, and return without blocking it. A store
/// that fails finds nothing and keeps nothing: requests are then sent as without a cache.
public protocol CacheStore: Sendable {
    /// Finds the responses for a URL and partition, at most some hundreds.
    ///
    /// - Parameters:
    ///   - key: The URL and partition.
    ///   - answer: Receives the responses, once, on any thread, possibly before this method returns.
    func find(_ key: CacheKey, answer: @escaping @Sendable ([StoredResponse]) -> Void)

    /// Returns the body of a response; nil if it is no longer there.
    ///
    /// It is a ``CachedBody`` whose source can be read even if the response is removed meanwhile.
    func body(of response: StoredResponse) -> CachedBody?

    /// Begins to store a response, which is found once its writer has committed it.
    ///
    /// - Returns: The receiver of its body; nil if the store cannot keep it.
    func store(_ response: StoredResponse) -> (any CacheWriter)?

    /// Replaces a response with one of the same ``StoredResponse/id``, and keeps its body.
    ///
    /// It does nothing if there is none.
    func update(_ response: StoredResponse)

    /// Removes a response and its body.
    func remove(_ response: StoredResponse)

    /// Removes all responses for a URL, in each partition.
    ///
    /// - Parameter url: A ``CacheKey/url``.
    func removeAll(for url: String)

    /// Removes everything.
    func removeAll()
}

/// The body of a stored response.
public struct CachedBody: Sendable {
    /// The number of bytes, with the content codings of the response.
    public let count: Int
    /// Opens a part of it.
    public let open: @Sendable (_ range: Range<Int>) throws(Exchange.Failure) -> any BodySource
    /// The bytes, if they are in memory.
    let data: Data?

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - open: A closure that returns the source of a range of the bytes. It must not block.
    public init(
        count: Int,
        open: @escaping @Sendable (_ range: Range<Int>) throws(Exchange.Failure) -> any BodySource
    ) {
        (self.count, self.open, data) = (count, open, nil)
    }

    /// Creates a body in memory.
    public init(_ data: Data) {
        count = data.count
        self.data = data
        open = { MemoryBody(data, $0) }
    }
}

/// The receiver of the body of a response that is being stored.
///
/// Its methods are called by one thread at a time. After ``commit()`` or ``discard()``, none follows. A
/// writer that is released before is discarded.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes.
    ///
    /// - Parameters:
    ///   - piece: The bytes, with the content codings of the response.
    ///   - whenTaken: A closure that the writer calls once it is ready for more, on any thread. Nothing
    ///     more is read from the server until then.
    func write(_ piece: Exchange.Chunk, whenTaken: @escaping @Sendable () -> Void)

    /// Makes the response, whose body is complete, available.
    func commit()

    /// Forgets the response.
    func discard()
}

/// A range of bytes in memory, as a source.
private final class MemoryBody: BodySource {
    private let data: Data
    private let rest: Locked<Range<Int>>

    init(_ data: Data, _ range: Range<Int>) {
        self.data = data
        rest = Locked(range.clamped(to: 0..<data.count))
    }

    func read(upTo count: Int) -> Data {
        let part = rest.withLock { rest in
            let part = rest.prefix(count)
            rest = rest.dropFirst(count)
            return part
        }
        return data[data.startIndex + part.lowerBound..<data.startIndex + part.upperBound]
    }
}
