public import Foundation

extension Exchange {
    // Indirect, because an exchange is copied more often than a body is made, and most have none.
    /// The body of a request.
    public indirect enum Body: Sendable {
        /// Bytes in memory.
        ///
        /// No bytes send `Content-Length: 0`.
        case data(Data)
        /// Bytes that are read while they are sent.
        case stream(BodyStream)

        /// How many bytes it has; nil when that is not known beforehand.
        public var length: Int64? {
            switch self {
            case .data(let data): Int64(data.count)
            case .stream(let stream): stream.length
            }
        }
    }

    /// A body that is read while it is sent.
    public struct BodyStream: Sendable {
        /// How many bytes will come; nil, when that is not known, sends them chunked.
        ///
        /// A source that has fewer or more makes the exchange fail; for no bytes none is opened.
        public var length: Int64?
        /// Whether ``open`` may be called again to send the same bytes from their start.
        public var isReplayable: Bool
        /// Makes a source that begins at the first byte; called on a thread that may wait, unless
        /// ``mayBlock`` is false.
        public var open: @Sendable () throws(Failure) -> any BodySource
        /// Whether ``open`` and the sources it makes may block the thread that calls them.
        ///
        /// The default is true, and each body is read on a queue of its own. Bodies that never block
        /// share one queue: one that blocks nevertheless delays the others.
        public var mayBlock = true
        /// How slowly it is sent; nil for as fast as the connection takes it.
        package var throttle: BodyThrottle?

        /// Makes a stream.
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

    /// What a ``BodySource`` answers when it is asked for bytes.
    public enum BodyPiece: Sendable, Hashable {
        /// The next bytes, at least one. No bytes count as the end.
        case bytes(Data)
        /// No bytes for now. The source wakes its reader when it should be asked again.
        case later
        /// No more bytes.
        case end
    }
}

/// The source of the bytes of a streamed body.
///
/// It is used by one thread at a time, and closed by being released. Implement one of two methods:
///
/// - ``read(upTo:)`` for a source that returns its bytes at once or waits for them.
/// - ``next(upTo:whenReady:)`` for a source that has to wait but needs no thread meanwhile. Set
///   ``Exchange/BodyStream/mayBlock`` to false as well.
///
/// A transport calls only ``next(upTo:whenReady:)``.
public protocol BodySource: AnyObject, Sendable {
    /// Returns the next bytes, at most `count` and at least one, or no bytes at the end.
    ///
    /// May block. The default throws a failure that says that neither method is implemented.
    func read(upTo count: Int) throws(Exchange.Failure) -> Data

    /// Returns the next bytes without waiting for them.
    ///
    /// The default calls ``read(upTo:)``.
    ///
    /// - Parameters:
    ///   - count: The most bytes to return.
    ///   - wake: Has the source asked again after it has answered ``Exchange/BodyPiece/later``. Call
    ///     it on any thread, any number of times, also before this method has returned and after the
    ///     exchange has ended. It returns at once, and does not keep the exchange alive.
    /// - Returns: The next bytes, the end, or that there is nothing for now.
    /// - Throws: The failure with which the exchange ends.
    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece
}

extension BodySource {
    /// Throws a failure: a source without this method implements ``next(upTo:whenReady:)``.
    public func read(upTo count: Int) throws(Exchange.Failure) -> Data {
        throw Exchange.Failure(
            .requestBodyStreamExhausted,
            message: "\(Self.self) implements neither `read(upTo:)` nor `next(upTo:whenReady:)`"
        )
    }

    /// Returns what ``read(upTo:)`` returns.
    public func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        let bytes = try read(upTo: count)
        return bytes.isEmpty ? .end : .bytes(bytes)
    }
}
