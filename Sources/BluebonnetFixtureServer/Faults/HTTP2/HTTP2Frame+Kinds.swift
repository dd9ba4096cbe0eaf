// The frames that a server sends, each with the fields that its kind has (RFC 9113 section 6).
extension HTTP2Frame {
    /// A part of a body.
    public static func data(
        _ text: String, stream: UInt32, endsStream: Bool = false
    ) -> HTTP2Frame {
        HTTP2Frame(
            .data, flags: endsStream ? .endsStream : [], stream: stream, payload: Array(text.utf8))
    }

    /// Header fields, whole unless `isWhole` is false.
    public static func headers(
        _ fields: [HPACKField], stream: UInt32, endsStream: Bool = false, isWhole: Bool = true
    ) -> HTTP2Frame {
        let flags: Flags = endsStream ? .endsStream : []
        return HTTP2Frame(
            .headers, flags: isWhole ? flags.union(.endsHeaders) : flags, stream: stream,
            payload: fields.bytes)
    }

    /// More header fields.
    public static func continuation(
        _ fields: [HPACKField], stream: UInt32, isWhole: Bool = true
    ) -> HTTP2Frame {
        HTTP2Frame(
            .continuation, flags: isWhole ? .endsHeaders : [], stream: stream,
            payload: fields.bytes)
    }

    /// The end of a stream by force.
    public static func reset(_ code: HTTP2ErrorCode, stream: UInt32) -> HTTP2Frame {
        HTTP2Frame(.reset, stream: stream, payload: code.rawValue.bigEndianBytes)
    }

    /// The end of a connection, of whose streams those beyond the last were not looked at.
    public static func goAway(_ code: HTTP2ErrorCode, last: UInt32) -> HTTP2Frame {
        HTTP2Frame(.goAway, payload: last.bigEndianBytes + code.rawValue.bigEndianBytes)
    }

    /// What the server allows.
    public static func settings(_ settings: [HTTP2Setting] = []) -> HTTP2Frame {
        HTTP2Frame(.settings, payload: settings.flatMap(\.bytes))
    }

    /// That the client's settings are heeded.
    public static let settingsAcknowledgement = HTTP2Frame(.settings, flags: .acknowledges)

    /// A question, or the answer to one.
    public static func ping(_ payload: [UInt8] = Array("bluebonn".utf8), acknowledges: Bool = false)
        -> HTTP2Frame
    {
        HTTP2Frame(.ping, flags: acknowledges ? .acknowledges : [], payload: payload)
    }

    /// Leave to send so many bytes more on a stream, 0 being all of them together.
    public static func windowUpdate(_ increment: UInt32, stream: UInt32) -> HTTP2Frame {
        HTTP2Frame(.windowUpdate, stream: stream, payload: increment.bigEndianBytes)
    }

    /// The announcement of a response on a stream of the server's.
    public static func pushPromise(
        _ fields: [HPACKField], on stream: UInt32, promising promised: UInt32
    ) -> HTTP2Frame {
        HTTP2Frame(
            .pushPromise, flags: .endsHeaders, stream: stream,
            payload: promised.bigEndianBytes + fields.bytes)
    }

    /// A whole response with a status and a body.
    public static func response(
        _ status: Int = 200, fields: [HPACKField] = [], body: String, stream: UInt32
    ) -> [HTTP2Frame] {
        [
            .headers([.status(status)] + fields, stream: stream),
            .data(body, stream: stream, endsStream: true),
        ]
    }
}

/// Why a stream or a connection ends, by its number on the wire (RFC 9113 section 7).
public enum HTTP2ErrorCode: UInt32, Sendable {
    /// Nothing is wrong.
    case noError = 0x0
    /// The other side has broken the rules.
    case protocolError = 0x1
    /// The sender has failed.
    case internalError = 0x2
    /// A frame came on a stream that had ended.
    case streamClosed = 0x5
    /// The sender has not looked at the request.
    case refusedStream = 0x7
    /// The stream is not wanted any more.
    case cancel = 0x8
    /// The other side asks for too much.
    case enhanceYourCalm = 0xB
    /// The request is to be sent in HTTP/1.1.
    case http11Required = 0xD
    /// What no specification knows.
    case unknown = 0xFFFF_FFFF
}

/// One thing that a server allows (RFC 9113 section 6.5.2).
public struct HTTP2Setting: Sendable {
    let identifier: UInt16
    let value: UInt32

    /// A setting by its number on the wire, with any value.
    public init(identifier: UInt16, value: UInt32) {
        self.identifier = identifier
        self.value = value
    }

    /// Bytes of the table of header fields that the client may use.
    public static func headerTableSize(_ value: UInt32) -> Self {
        .init(identifier: 1, value: value)
    }
    /// Whether pushed responses are welcome, which a server may not say.
    public static func enablePush(_ value: UInt32) -> Self { .init(identifier: 2, value: value) }
    /// Streams at once.
    public static func maximumStreams(_ value: UInt32) -> Self {
        .init(identifier: 3, value: value)
    }
    /// Bytes that the client may send on a stream to begin with.
    public static func initialWindow(_ value: UInt32) -> Self { .init(identifier: 4, value: value) }
    /// Bytes of a frame.
    public static func maximumFrame(_ value: UInt32) -> Self { .init(identifier: 5, value: value) }

    var bytes: [UInt8] { identifier.bigEndianBytes + value.bigEndianBytes }
}
