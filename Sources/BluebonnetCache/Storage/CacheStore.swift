public import Bluebonnet
import Foundation

/// A place for the responses of a cache.
///
/// A ``CachingTransport`` decides what is stored and used; a store finds, keeps and forgets. All methods
/// can be called on any thread, also on that of the transport, and return without blocking it. Each
/// closure is called once, on any thread, possibly before the method returns. What was called first has
/// effect first. A store that fails finds nothing and keeps nothing: requests are then sent as without a
/// cache.
public protocol CacheStore: Sendable {
    /// Finds the responses for a URL and partition, at most some hundreds.
    ///
    /// - Parameters:
    ///   - key: The URL and partition.
    ///   - answer: Receives the responses.
    func find(_ key: CacheKey, answer: @escaping @Sendable ([StoredResponse]) -> Void)

    /// Opens the body of a response.
    ///
    /// - Parameters:
    ///   - response: A response that was found.
    ///   - answer: Receives the body, which can be read even if the response is removed meanwhile, or nil
    ///     if it is no longer there.
    func body(of response: StoredResponse, answer: @escaping @Sendable (CachedBody?) -> Void)

    /// Begins to store a response, which is found once its writer has committed it.
    ///
    /// It then takes the place of a response with the same key and ``StoredResponse/selectingFields``.
    ///
    /// - Parameter response: The response, without its body.
    /// - Returns: The receiver of its body; nil if the store cannot keep it.
    func store(_ response: StoredResponse) -> (any CacheWriter)?

    /// Replaces a response with one of the same ``StoredResponse/id``, and keeps its body.
    ///
    /// It does nothing if there is none.
    ///
    /// - Parameter response: The new response, with the id of the one to replace.
    func update(_ response: StoredResponse)

    /// Removes a response and its body.
    ///
    /// - Parameter response: A response that was found.
    func remove(_ response: StoredResponse)

    /// Removes all responses for a URL, in each partition.
    ///
    /// - Parameter url: A ``CacheKey/url``.
    func removeAll(for url: String)

    /// Removes everything.
    func removeAll()

    /// Sets a closure that is called with each failure from now on, beside others that were set.
    ///
    /// By default, a store reports none.
    ///
    /// - Parameter report: Receives each failure, on any thread. It must not block.
    func onFailure(_ report: @escaping @Sendable (CacheStoreFailure) -> Void)
}

extension CacheStore {
    /// Does nothing.
    ///
    /// - Parameter report: Not called.
    public func onFailure(_ report: @escaping @Sendable (CacheStoreFailure) -> Void) {}
}

/// What a store could not do, while requests went on without it.
public struct CacheStoreFailure: Error, Sendable, CustomStringConvertible {
    /// What happened, where, and what to do about it.
    public let message: String
    /// The system's number of the error (`errno`), if there is one.
    public let systemErrorNumber: Int32?

    /// Creates a failure.
    public init(_ message: String, systemErrorNumber: Int32? = nil) {
        (self.message, self.systemErrorNumber) = (message, systemErrorNumber)
    }

    /// The message.
    public var description: String { message }
}

/// The body of a stored response, open for reading.
public struct CachedBody: Sendable {
    /// The number of bytes, with the content codings of the response.
    public let count: Int
    /// The source of a range of the bytes.
    let source: @Sendable (_ range: Range<Int>) -> any BodySource
    /// The bytes, if they are in memory.
    let data: Data?

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - source: A closure that returns the source of a range of the bytes, without blocking.
    public init(count: Int, source: @escaping @Sendable (_ range: Range<Int>) -> any BodySource) {
        (self.count, self.source, data) = (count, source, nil)
    }

    /// Creates a body in memory.
    public init(_ data: Data) {
        count = data.count
        self.data = data
        source = { MemoryBody(data, $0) }
    }
}

/// The receiver of the body of a response that is being stored.
///
/// Its methods return without blocking their thread. All but ``read(_:answer:)`` are called by one thread
/// at a time, and each closure once, on any thread, possibly before the method returns. A writer that is
/// released without ``commit()`` is discarded.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, with the content codings of the response. The next ones follow once these
    ///     are written.
    ///   - whenWritten: Receives true once the writer is ready for more, and false if it could not write
    ///     these bytes, after which it is discarded.
    func write(_ bytes: Data, whenWritten: @escaping @Sendable (_ isWritten: Bool) -> Void)

    /// Reads bytes that were written, for callers that are slower than the server or came later.
    ///
    /// It is called on any number of threads at the same time, until the writer is released, also after
    /// ``commit()`` and ``discard()``.
    ///
    /// - Parameters:
    ///   - range: The place of the bytes.
    ///   - answer: Receives the bytes, at least one; nil if they cannot be read.
    func read(_ range: Range<Int>, answer: @escaping @Sendable (Data?) -> Void)

    /// Makes the response, whose body is written as a whole, available.
    ///
    /// It is found by a look-up that begins after this method returns.
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
