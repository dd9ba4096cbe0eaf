/// An HTTP/2 frame as it is sent, valid or not (RFC 9113 section 4.1).
public struct HTTP2Frame: Sendable {
    /// The type of a frame, by its wire value.
    public enum Kind: UInt8, Sendable {
        /// Part of a body.
        case data = 0x0
        /// Header fields, or the first part of them.
        case headers = 0x1
        /// The priority of a stream, which is deprecated.
        case priority = 0x2
        /// The end of a stream with an error code.
        case reset = 0x3
        /// The settings of the sender.
        case settings = 0x4
        /// The announcement of a pushed response.
        case pushPromise = 0x5
        /// A ping, which the receiver acknowledges at once.
        case ping = 0x6
        /// The end of a connection, graceful or with an error code.
        case goAway = 0x7
        /// The permission to send more bytes.
        case windowUpdate = 0x8
        /// More header fields.
        case continuation = 0x9
        /// A type that no specification defines.
        case unknown = 0xEE
    }

    /// Bits whose meaning depends on the kind.
    public struct Flags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Creates flags with these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The frame is the sender's last on the stream.
        public static let endsStream = Flags(rawValue: 0x1)
        /// The frame acknowledges a frame of the same kind.
        public static let acknowledges = Flags(rawValue: 0x1)
        /// No more header fields follow.
        public static let endsHeaders = Flags(rawValue: 0x4)
        /// The payload begins with the length of the padding.
        public static let isPadded = Flags(rawValue: 0x8)
    }

    /// The type of the frame.
    public var kind: Kind
    /// The flags of the frame.
    public var flags: Flags
    /// The number of the stream, or 0 for the connection.
    public var stream: UInt32
    /// The bytes that follow the frame header.
    public var payload: [UInt8]
    /// The length in the frame header, or nil for the length of the payload.
    public var declaredLength: Int?

    /// Creates a frame of any kind.
    public init(
        _ kind: Kind, flags: Flags = [], stream: UInt32 = 0, payload: [UInt8] = [],
        declaredLength: Int? = nil
    ) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
        self.declaredLength = declaredLength
    }

    /// The bytes on the wire.
    public var bytes: [UInt8] {
        let length = UInt32(declaredLength ?? payload.count)
        return length.bigEndianBytes.dropFirst() + [kind.rawValue, flags.rawValue]
            + stream.bigEndianBytes + payload
    }
}

extension FixedWidthInteger {
    /// The bytes in network byte order.
    var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
