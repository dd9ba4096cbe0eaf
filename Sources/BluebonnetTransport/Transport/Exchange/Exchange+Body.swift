public import Foundation

extension Exchange {
    // Indirect, because exchanges are copied often and most of them have no body.
    /// The body of a request.
    public indirect enum Body: Sendable {
        /// Bytes in memory.
        ///
        /// Empty data sends `Content-Length: 0`.
        case data(Data)
        /// Bytes that are read while they are sent.
        case stream(BodyStream)

        /// The number of bytes, or nil if it is not known in advance.
        public var length: Int64? {
            switch self {
            case .data(let data): Int64(data.count)
            case .stream(let stream): stream.length
            }
        }
    }

    /// A body that is read while it is sent.
    public struct BodyStream: Sendable {
        /// The number of bytes, or nil if it is not known, which sends the body chunked.
        ///
        /// The exchange fails if the source has fewer or more bytes, also if this is 0.
        public var length: Int64?
        /// Whether ``open`` can be called again to send the same bytes from the start.
        public var isReplayable: Bool
        /// A closure that opens a source at the first byte.
        ///
        /// It may block the thread that calls it, unless ``mayBlock`` is false.
        public var open: @Sendable () throws(Failure) -> any BodySource
        /// Whether ``open`` and the sources that it returns may block the thread that calls them.
        ///
        /// The default is true: each body is read on its own queue. Bodies that never block share
        /// one queue, where a body that blocks nevertheless delays the others.
        public var mayBlock = true
        /// The rate at which the body is sent, or nil for the full speed of the connection.
        package var throttle: BodyThrottle?

        /// Creates a stream.
        public init(
            length: Int64?,
            isReplayable: Bool,
            open: @escaping @Sendable () throws(Failure) -> any BodySource
        ) {
            self.length = length
            self.isReplayable = isReplayable
            self.open = open
        }
    }

    /// The result of reading from a ``BodySource``.
    public enum BodyPiece: Sendable, Hashable {
        /// The next bytes, at least one. Empty data counts as the end.
        case bytes(Data)
        /// No bytes for now. The source wakes its reader when the reader should try again.
        case later
        /// No more bytes.
        case end
    }
}

/// The source of the bytes of a streamed body.
///
/// It is used by one thread at a time, and releasing it closes it. Implement one of two methods:
///
/// - ``read(upTo:)`` for a source that returns its bytes at once or blocks until it has some.
/// - ``next(upTo:whenReady:)`` for a source that waits without blocking a thread. Also set
///   ``Exchange/BodyStream/mayBlock`` to false.
///
/// A transport calls only ``next(upTo:whenReady:)``.
public protocol BodySource: AnyObject, Sendable {
    /// Returns the next bytes, at most `count` and at least one, or no bytes at the end.
    ///
    /// It may block. The default implementation throws a failure, because a source must implement
    /// one of the two methods.
    func read(upTo count: Int) throws(Exchange.Failure) -> Data

    /// Returns the next bytes without waiting for them.
    ///
    /// The default implementation calls ``read(upTo:)``.
    ///
    /// - Parameters:
    ///   - count: The most bytes to return.
    ///   - wake: A closure that makes the reader try again, after this method has returned
    ///     ``Exchange/BodyPiece/later``. Call it on any thread, any number of times, even before
    ///     this method returns and after the exchange has ended. It returns immediately and does
    ///     not keep the exchange alive.
    /// - Returns: The next bytes, the end, or ``Exchange/BodyPiece/later``.
    /// - Throws: The failure with which the exchange ends.
    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece
}

extension BodySource {
    /// Throws a failure.
    ///
    /// A source without this method must implement ``next(upTo:whenReady:)``.
    public func read(upTo count: Int) throws(Exchange.Failure) -> Data {
        throw Exchange.Failure(
            .requestBodyStreamExhausted,
            message: "\(Self.self) implements neither `read(upTo:)` nor `next(upTo:whenReady:)`"
        )
    }

    /// Returns the bytes that ``read(upTo:)`` returns, or the end if there are none.
    public func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        let bytes = try read(upTo: count)
        return bytes.isEmpty ? .end : .bytes(bytes)
    }
}
