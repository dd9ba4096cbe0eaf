/// A complete request as the server received it.
///
/// The server has read the whole body and removed its chunked coding, if any.
public struct FixtureRequest: Sendable, Hashable {
    /// The request method, such as `GET`.
    public let method: String

    /// The request target exactly as in the request line.
    public let target: String

    /// The path of the target, still percent-encoded.
    ///
    /// For a target in absolute form this is the path of that URL.
    public let path: String

    /// The query of the target without its question mark, still percent-encoded.
    ///
    /// It is nil if the target has no question mark.
    public let query: String?

    /// The header fields in order of arrival.
    public let headers: FixtureHeaders

    /// The body, or an empty array if there is none.
    public let body: [UInt8]

    /// The number of the connection, counting accepted connections from 0.
    public let connectionIndex: Int

    /// The number of the request on its connection, counting from 0.
    public let requestIndex: Int
}
