import Foundation

/// An event of an event stream (WHATWG HTML, 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type, `message` unless the server has named one.
    public var type: String
    /// The data; its lines are separated by LF.
    public var data: String
    /// The id that the server has set last, with this event or an earlier one; empty if none.
    public var id: String
    /// The time to wait before another connection, if the server has set it since the last event.
    public var retry: Duration?

    /// The media type of event streams.
    static let contentType = "text/event-stream"

    /// Creates an event, for example in a test.
    ///
    /// - Parameters:
    ///   - type: The type. The default is `message`.
    ///   - data: The data, with LF between its lines.
    ///   - id: The id; empty, the default, for none.
    ///   - retry: The time to wait before another connection; nil, the default, for none.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        (self.type, self.data, self.id, self.retry) = (type, data, id, retry)
    }

    /// Decodes the data from JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder. The default is `JSONDecoder()`, not that of the manager.
    /// - Returns: The value.
    /// - Throws: A `DecodingError`.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, by decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(Value.self, from: Data(data.utf8))
    }
}
