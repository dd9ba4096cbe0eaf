// The frames that a server sends, with the fields of each kind (RFC 9113 section 6).
extension HTTP2Frame {
    /// A DATA frame with part of a body.
    public static func data(
        _ text: String, stream: UInt32, endsStream: Bool = false
    ) -> HTTP2Frame {
        HTTP2Frame(
            .data, flags: endsStream ? .endsStream : [], stream: stream, payload: Array(text.utf8))
    }

    /// A HEADERS frame, which ends the header section unless `isWhole` is false.
    public static func headers(
        _ fields: [HPACKField], stream: UInt32, endsStream: Bool = false, isWhole: Bool = true
    ) -> HTTP2Frame {
        let flags: Flags = endsStream ? .endsStream : []
        return HTTP2Frame(
            .headers, flags: isWhole ? flags.union(.endsHeaders) : flags, stream: stream,
            payload: fields.bytes)
    }

    /// A CONTINUATION frame with more header fields.
    public static func continuation(
        _ fields: [HPACKField], stream: UInt32, isWhole: Bool = true
    ) -> HTTP2Frame {
        HTTP2Frame(
            .continuation, flags: isWhole ? .endsHeaders : [], stream: stream,
            payload: fields.bytes)
    }

    /// An RST_STREAM frame, which ends a stream with an error code.
    public static func reset(_ code: HTTP2ErrorCode, stream: UInt32) -> HTTP2Frame {
        HTTP2Frame(.reset, stream: stream, payload: code.rawValue.bigEndianBytes)
    }

    /// A GOAWAY frame, which ends a connection.
    ///
    /// The server has not processed streams after `last`.
    public static func goAway(_ code: HTTP2ErrorCode, last: UInt32) -> HTTP2Frame {
        HTTP2Frame(.goAway, payload: last.bigEndianBytes + code.rawValue.bigEndianBytes)
    }

    /// A SETTINGS frame.
    public static func settings(_ settings: [HTTP2Setting] = []) -> HTTP2Frame {
        HTTP2Frame(.settings, payload: settings.flatMap(\.bytes))
    }

    /// The acknowledgment of the client's settings.
    public static let settingsAcknowledgement = HTTP2Frame(.settings, flags: .acknowledges)

    /// A PING frame, or the acknowledgment of one.
    public static func ping(_ payload: [UInt8] = Array("bluebonn".utf8), acknowledges: Bool = false)
        -> HTTP2Frame
    {
        HTTP2Frame(.ping, flags: acknowledges ? .acknowledges : [], payload: payload)
    }

    /// A WINDOW_UPDATE frame, which lets the client send more bytes on a stream.
    ///
    /// Stream 0 stands for the whole connection.
    public static func windowUpdate(_ increment: UInt32, stream: UInt32) -> HTTP2Frame {
        HTTP2Frame(.windowUpdate, stream: stream, payload: increment.bigEndianBytes)
    }

    /// A PUSH_PROMISE frame, which announces a response on a stream of the server.
    public static func pushPromise(
        _ fields: [HPACKField], on stream: UInt32, promising promised: UInt32
    ) -> HTTP2Frame {
        HTTP2Frame(
            .pushPromise, flags: .endsHeaders, stream: stream,
            payload: promised.bigEndianBytes + fields.bytes)
    }

    /// The frames of a complete response with a status code and a body.
    public static func response(
        _ status: Int = 200, fields: [HPACKField] = [], body: String, stream: UInt32
    ) -> [HTTP2Frame] {
        [
            .headers([.status(status)] + fields, stream: stream),
            .data(body, stream: stream, endsStream: true),
        ]
    }
}

/// The reason that a stream or a connection ends, by its wire value (RFC 9113 section 7).
public enum HTTP2ErrorCode: UInt32, Sendable {
    /// No error occurred.
    case noError = 0x0
    /// The other side violated the protocol.
    case protocolError = 0x1
    /// The sender had an internal error.
    case internalError = 0x2
    /// A frame arrived on a stream that had ended.
    case streamClosed = 0x5
    /// The sender did not process the request.
    case refusedStream = 0x7
    /// The stream is no longer needed.
    case cancel = 0x8
    /// The other side causes too much load.
    case enhanceYourCalm = 0xB
    /// The request must be sent with HTTP/1.1.
    case http11Required = 0xD
    /// A code that no specification defines.
    case unknown = 0xFFFF_FFFF
}

/// A setting of a connection (RFC 9113 section 6.5.2).
public struct HTTP2Setting: Sendable {
    let identifier: UInt16
    let value: UInt32

    /// Creates a setting with any identifier and any value.
    public init(identifier: UInt16, value: UInt32) {
        self.identifier = identifier
        self.value = value
    }

    /// The largest header compression table that the client can use, in bytes.
    public static func headerTableSize(_ value: UInt32) -> Self {
        .init(identifier: 1, value: value)
    }
    /// Whether server push is enabled, for which a server can send only 0.
    public static func enablePush(_ value: UInt32) -> Self { .init(identifier: 2, value: value) }
    /// The largest number of concurrent streams.
    public static func maximumStreams(_ value: UInt32) -> Self {
        .init(identifier: 3, value: value)
    }
    /// The number of bytes that the client can send on a new stream at first.
    public static func initialWindow(_ value: UInt32) -> Self { .init(identifier: 4, value: value) }
    /// The largest payload of a frame, in bytes.
    public static func maximumFrame(_ value: UInt32) -> Self { .init(identifier: 5, value: value) }

    var bytes: [UInt8] { identifier.bigEndianBytes + value.bigEndianBytes }
}
