/// A type that has a value for a response without a body.
///
/// It is used where HTTP has none, with the statuses 204, 205 and 304 and for HEAD, and for the statuses and methods
/// that a handler names.
public protocol EmptyResponse: Sendable {
    /// Returns the value.
    static func emptyValue() -> Self
}

/// Alamofire's name of ``EmptyBody``.
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
