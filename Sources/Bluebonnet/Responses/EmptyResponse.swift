/// A type that has a value for a response without a body.
///
/// The value is used for the status codes 204, 205 and 304, for HEAD, and for the status codes and
/// methods that are passed to a handler.
public protocol EmptyResponse: Sendable {
    /// Returns the value.
    static func emptyValue() -> Self
}

/// Alamofire's name for ``EmptyBody``.
public typealias Empty = EmptyBody

extension EmptyBody: EmptyResponse, Encodable {
    /// The value.
    public static let value = EmptyBody()

    /// Returns the value.
    public static func emptyValue() -> EmptyBody { value }

    /// Encodes an empty object.
    public func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: NoKey.self)
    }

    private enum NoKey: CodingKey {}
}
