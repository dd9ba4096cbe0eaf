public import Foundation

/// A request to one endpoint, with the type of its response; ``TargetClient`` sends it.
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
/// Everything but ``path`` has a default. A stored property with the name of a member but another type, such as a `body`
/// that is not `Encodable` or `headers` that are a dictionary, fails the call. Of a computed one the default counts
/// instead, and the compiler does not warn.
///
/// A request that is ``AccessTokenAuthorizable`` as well gets the token of an ``AccessTokenPlugin``.
///
/// Its members are asked on the thread that sends it, once a call, and ``serializer`` once there is a response.
public protocol APIRequest: Sendable {
    /// The type of the response's body; default ``EmptyBody``, which may be anything.
    associatedtype Response: Decodable & Sendable = EmptyBody
    /// The type of ``query``, which may be an optional.
    associatedtype Query: Encodable & Sendable = Never?
    /// The type of ``body``, which may be an optional.
    associatedtype Body: Encodable & Sendable = Never?

    /// The values of the names in a path.
    typealias PathParameters = [String: any CustomStringConvertible & Sendable]

    /// The path below the client's base URL, as that of a ``TargetType``, with names in braces, such as `/users/{id}`.
    var path: String { get }

    /// The values of the names in braces; default none.
    ///
    /// Each is one segment or a part of one, whatever is in it: a slash is escaped. A value that is missing, empty, `.` or
    /// `..`, and one that has no place, fail the call.
    var pathParameters: PathParameters { get }

    /// The method; default GET.
    var method: HTTPMethod { get }

    /// Header fields; default none. Fields with the same name are joined by commas.
    var headers: HTTPHeaders { get }

    /// What becomes the query, as ``URLEncodedFormParameterEncoder`` writes it; default nil, for none.
    var query: Query { get }

    /// What is sent as JSON; default nil, for nothing.
    var body: Body { get }

    /// Which statuses are a success; default ``ValidationType/successCodes``, 200 to 299.
    var validationType: ValidationType { get }

    /// What is sent, and what becomes of the response; by default ``body`` is sent as JSON.
    ///
    /// A request gives another one to send a form, for example. The query is added in any case.
    var task: TargetTask { get }

    /// Decodes the body; its acceptable status codes and content types are ignored.
    ///
    /// By default it decodes JSON with the decoder of the client.
    var serializer: any ResponseSerializer<Response> { get }
}

extension APIRequest {
    /// None.
    public var pathParameters: PathParameters { [:] }
    /// GET.
    public var method: HTTPMethod { .get }
    /// None.
    public var headers: HTTPHeaders { [:] }
    /// 200 to 299.
    public var validationType: ValidationType { .successCodes }

    /// Sends ``body``.
    public var task: TargetTask {
        encodable(in: body).map { .requestJSONEncodable($0) } ?? .requestPlain
    }

    /// Decodes JSON with the decoder of the client.
    public var serializer: any ResponseSerializer<Response> {
        DecodableResponseSerializer<Response>()
    }
}

extension APIRequest where Query == Never? {
    /// None.
    public var query: Never? { nil }
}

extension APIRequest where Body == Never? {
    /// None.
    public var body: Never? { nil }
}

/// A request that sends a file or a form.
///
/// ```swift
/// struct SetPicture: APIUpload {
///     let file: URL
///     var path: String { "/picture" }
///     var content: APIUploadContent { .file(file) }
/// }
/// ```
public protocol APIUpload: APIRequest where Body == Never? {
    /// What is sent.
    var content: APIUploadContent { get }
}

/// What an ``APIUpload`` sends.
public enum APIUploadContent: Sendable {
    /// The bytes of a file, read while they are sent.
    case file(URL)
    /// A form.
    case form(MultipartFormData)
    /// Bytes, for which no `Content-Type` is added.
    case data(Data)
}

extension APIUpload {
    /// POST.
    public var method: HTTPMethod { .post }

    /// Sends the content.
    public var task: TargetTask {
        switch content {
        case .file(let file): .uploadFile(file)
        case .form(let form): .uploadMultipartFormData(form)
        case .data(let data): .requestData(data)
        }
    }
}

/// A request whose response is put into a file.
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
    /// Where the file is put.
    var destination: DownloadRequest.Destination { get }
}

extension APIDownload {
    /// Downloads to the destination.
    public var task: TargetTask { .downloadDestination(destination) }
    /// Gives the file.
    public var serializer: any ResponseSerializer<URL> { URLResponseSerializer() }
}

/// A request whose response is a stream of values, one a line unless told otherwise;
/// ``TargetClient/stream(_:)`` reads it.
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

    /// Where one value ends and the next begins; default ``StreamFraming/lines``.
    var framing: StreamFraming { get }
}

extension APIStream {
    /// Lines.
    public var framing: StreamFraming { .lines }
}

/// A value, unless it is an optional that is nil.
func encodable(in value: some Encodable & Sendable) -> (any Encodable & Sendable)? {
    (value as? any NilTestable)?.isNil == true ? nil : value
}
