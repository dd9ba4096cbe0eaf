public import Foundation

/// A request to one endpoint, with the type of its response.
///
/// Send it with an ``APIClient``.
///
/// ```swift
/// struct GetUser: APIRequest {
///     typealias Response = User
///     let id: Int
///     var path: String { "/users/{id}" }
///     var pathParameters: PathParameters { ["id": id] }
/// }
///
/// struct CreateUser: APIRequest {
///     typealias Response = User
///     let body: NewUser
///     var method: HTTPMethod { .post }
///     var path: String { "/users" }
/// }
/// ```
///
/// Everything except ``path`` has a default. The call fails if a stored property has the name of a
/// member but another type, such as a `body` that is not `Encodable` or `headers` that are a
/// dictionary. If a computed property has the wrong type, the default is used instead, without a
/// compiler warning.
///
/// The members are read on the thread that sends the request.
public protocol APIRequest: Sendable {
    /// The type of the response's body; by default ``EmptyBody``, which accepts any body.
    associatedtype Response: Decodable & Sendable = EmptyBody
    /// The type of ``query``, which can be an optional.
    associatedtype Query: Encodable & Sendable = Never?
    /// The type of ``body``, which can be an optional.
    associatedtype Body: Encodable & Sendable = Never?

    /// The values of the parameters in a path.
    typealias PathParameters = [String: any CustomStringConvertible & Sendable]

    /// The path relative to the client's base URL, with parameter names in braces, such as
    /// `/users/{id}`.
    ///
    /// It is appended to the path of the base URL, whose query precedes that of the path.
    /// Characters that a path cannot contain are escaped, and valid escapes are kept. The call
    /// fails for a path with a `#` or a segment of dots.
    var path: String { get }

    /// The values of the parameters in braces; none by default.
    ///
    /// Each value stays within its segment, since slashes are escaped. The call fails if a value is
    /// missing, empty, `.` or `..`, or if the path does not contain its parameter.
    var pathParameters: PathParameters { get }

    /// The HTTP method; GET by default.
    var method: HTTPMethod { get }

    /// The header fields; none by default.
    ///
    /// Fields with the same name are joined with commas.
    var headers: HTTPHeaders { get }

    /// The value to send as the query; nil by default, for no query.
    ///
    /// It is written with the ``QueryEncoding`` of the session's
    /// ``HTTPSessionManager/requestSerializer``.
    var query: Query { get }

    /// The value to send as JSON, which must encode an object or an array; nil by default, for no
    /// body.
    ///
    /// It is written by the encoder of the client. For other content, such as a form, conform to
    /// ``APIUpload``.
    var body: Body { get }

    /// The status codes that count as success, 200 to 299 by default; nil accepts every status
    /// code.
    var acceptableStatusCodes: Set<Int>? { get }

    /// The options of the call, such as a timeout, a tag or an interceptor; none by default.
    var options: RequestOptions { get }

    /// Decodes the body; its acceptable status codes and content types are ignored.
    ///
    /// By default, it decodes JSON with the decoder of the client.
    var serializer: any ResponseSerializer<Response> { get }
}

extension APIRequest {
    /// No parameters.
    public var pathParameters: PathParameters { [:] }
    /// The GET method.
    public var method: HTTPMethod { .get }
    /// No header fields.
    public var headers: HTTPHeaders { [:] }
    /// The status codes 200 to 299.
    public var acceptableStatusCodes: Set<Int>? { .successStatusCodes }
    /// No options.
    public var options: RequestOptions { [] }

    /// Decodes JSON with the decoder of the client.
    public var serializer: any ResponseSerializer<Response> {
        DecodableResponseSerializer<Response>()
    }
}

extension APIRequest where Query == Never? {
    /// No query.
    public var query: Never? { nil }
}

extension APIRequest where Body == Never? {
    /// No body.
    public var body: Never? { nil }
}

/// A request that uploads a file, a form or bytes.
///
/// ```swift
/// struct SetPicture: APIUpload {
///     let file: URL
///     var path: String { "/picture" }
///     var content: RequestBody { .file(file) }
/// }
/// ```
public protocol APIUpload: APIRequest where Body == Never? {
    /// The content to upload; bytes get no `Content-Type`.
    ///
    /// The call throws the error that it throws, such as that of a form whose file is missing.
    var content: RequestBody { get throws }
}

extension APIUpload {
    /// The POST method.
    public var method: HTTPMethod { .post }
}

/// The former name of ``RequestBody``.
@available(*, unavailable, renamed: "RequestBody")
public typealias APIUploadContent = RequestBody

/// A request whose response is downloaded to a file.
///
/// ```swift
/// struct GetArchive: APIDownload {
///     var path: String { "/archive.zip" }
///     var destination: @Sendable (ResponseHead) -> URL {
///         SessionManager.suggestedDownloadDestination(in: URL(filePath: "/srv/archives"))
///     }
/// }
///
/// let file = try await client.send(GetArchive())
/// ```
public protocol APIDownload: APIRequest where Response == URL, Body == Never? {
    /// Returns the destination of the file, once an acceptable head has arrived.
    ///
    /// How the file is moved there is set by ``RequestOptions/file(_:)`` in
    /// ``APIRequest/options``.
    var destination: @Sendable (ResponseHead) -> URL { get }
}

extension APIDownload {
    /// Returns the location of the file.
    public var serializer: any ResponseSerializer<URL> {
        DownloadSerializer(judge: HeadJudge(serializer: HTTPResponseSerializer()))
    }
}

/// A request whose response is a stream of values, by default one value per line.
///
/// Read it with ``APIClient/stream(_:)``.
///
/// ```swift
/// struct Watch: APIStream {
///     typealias Element = Change
///     var path: String { "/changes" }
/// }
///
/// for try await change in client.stream(Watch()) { print(change) }
/// ```
public protocol APIStream: APIRequest {
    /// The type of the values.
    associatedtype Element: Decodable & Sendable

    /// The framing that separates the values; ``StreamFraming/jsonLines`` by default.
    var framing: StreamFraming { get }
}

extension APIStream {
    /// One value per line.
    public var framing: StreamFraming { .jsonLines }
}
