public import Foundation

/// A request to one endpoint, with the type of its response.
///
/// Send it with a ``TargetClient``.
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
/// A request that is also ``AccessTokenAuthorizable`` gets the token of an ``AccessTokenPlugin``.
///
/// The members are read once per call, on the thread that sends the request. ``serializer`` is read
/// once there is a response.
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
    /// It is treated like ``TargetType/path``.
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
    /// It is written by the encoder of the client. For a single value, override ``task`` with
    /// ``TargetTask/requestCustomJSONEncodable(_:encoder:)``.
    var body: Body { get }

    /// The status codes that count as success; by default ``ValidationType/successCodes``, 200 to
    /// 299.
    var validationType: ValidationType { get }

    /// The content of the request and the destination of the response; by default, ``body`` as
    /// JSON.
    ///
    /// Override it to send a form, for example. The query is added in any case.
    var task: TargetTask { get }

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
    public var validationType: ValidationType { .successCodes }

    /// The body as JSON, or no content if it is nil.
    public var task: TargetTask {
        encodable(in: body).map { .requestJSONEncodable($0) } ?? .requestPlain
    }

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
///     var content: APIUploadContent { .file(file) }
/// }
/// ```
public protocol APIUpload: APIRequest where Body == Never? {
    /// The content to upload.
    var content: APIUploadContent { get }
}

/// The content of an ``APIUpload``.
public enum APIUploadContent: Sendable {
    /// A file, which is read while it is sent.
    case file(URL)
    /// A form.
    case form(MultipartFormData)
    /// Bytes, without a `Content-Type`.
    case data(Data)
}

extension APIUpload {
    /// The POST method.
    public var method: HTTPMethod { .post }

    /// An upload of the content.
    public var task: TargetTask {
        switch content {
        case .file(let file): .uploadFile(file)
        case .form(let form): .uploadMultipartFormData(form)
        case .data(let data): .requestData(data)
        }
    }
}

/// A request whose response is downloaded to a file.
///
/// ```swift
/// struct GetArchive: APIDownload {
///     var path: String { "/archive.zip" }
///     var destination: DownloadRequest.Destination {
///         DownloadRequest.suggestedDownloadDestination(in: URL(fileURLWithPath: "/srv/archives"))
///     }
/// }
///
/// let file = try await client.send(GetArchive())
/// ```
public protocol APIDownload: APIRequest where Response == URL, Body == Never? {
    /// The destination of the file.
    var destination: DownloadRequest.Destination { get }
}

extension APIDownload {
    /// A download to the destination.
    public var task: TargetTask { .downloadDestination(destination) }
    /// Returns the location of the file.
    public var serializer: any ResponseSerializer<URL> { URLResponseSerializer() }
}

/// A request whose response is a stream of values, by default one value per line.
///
/// Read it with ``TargetClient/stream(_:)``.
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

    /// The framing that separates the values; ``StreamFraming/lines`` by default.
    var framing: StreamFraming { get }
}

extension APIStream {
    /// One value per line.
    public var framing: StreamFraming { .lines }
}

/// Returns a value, or nil if it is an optional that is nil.
func encodable(in value: some Encodable & Sendable) -> (any Encodable & Sendable)? {
    (value as? any NilTestable)?.isNil == true ? nil : value
}
