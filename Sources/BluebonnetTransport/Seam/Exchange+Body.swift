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
        /// Makes a source that begins at the first byte; called on a thread that may wait.
        public var open: @Sendable () throws(Failure) -> any BodySource
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
}

/// Where the bytes of a streamed body come from.
///
/// It is used by one thread at a time, which may wait, and closed by being let go.
public protocol BodySource: AnyObject, Sendable {
    /// The next bytes, at most `count` and at least one; none at the end.
    func read(upTo count: Int) throws(Exchange.Failure) -> Data
}
