/// One frame of HTTP/2 as it goes over the wire, right or wrong (RFC 9113 section 4.1).
public struct HTTP2Frame: Sendable {
    /// What a frame is, by its number on the wire.
    public enum Kind: UInt8, Sendable {
        /// A part of a body.
        case data = 0x0
        /// Header fields, or the beginning of them.
        case headers = 0x1
        /// A stream's place among others, which nobody heeds.
        case priority = 0x2
        /// The end of a stream by force.
        case reset = 0x3
        /// What the sender of it allows.
        case settings = 0x4
        /// The announcement of a response that nobody has asked for.
        case pushPromise = 0x5
        /// A question that is answered at once.
        case ping = 0x6
        /// The end of a connection, in order or not.
        case goAway = 0x7
        /// Leave to send more.
        case windowUpdate = 0x8
        /// More header fields.
        case continuation = 0x9
        /// What no specification knows.
        case unknown = 0xEE
    }

    /// Bits whose meaning depends on the kind.
    public struct Flags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Flags with these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The last frame of its sender on the stream.
        public static let endsStream = Flags(rawValue: 0x1)
        /// The answer to a frame of the same kind.
        public static let acknowledges = Flags(rawValue: 0x1)
        /// No more header fields follow.
        public static let endsHeaders = Flags(rawValue: 0x4)
        /// The payload begins with a length of padding.
        public static let isPadded = Flags(rawValue: 0x8)
    }

    /// What it is.
    public var kind: Kind
    /// Its flags.
    public var flags: Flags
    /// The number of its stream, 0 for the connection.
    public var stream: UInt32
    /// What follows its head.
    public var payload: [UInt8]
    /// The length that its head tells; nil for that of the payload.
    public var declaredLength: Int?

    /// A frame of any kind.
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

    /// What goes over the wire.
    public var bytes: [UInt8] {
        let length = UInt32(declaredLength ?? payload.count)
        return length.bigEndianBytes.dropFirst() + [kind.rawValue, flags.rawValue]
            + stream.bigEndianBytes + payload
    }
}

extension FixedWidthInteger {
    /// The bytes in the order of the network.
    var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
