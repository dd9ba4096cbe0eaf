public import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// A manager with a base URL, a request serializer, and methods for the HTTP verbs.
///
/// Two managers share neither connections nor their limits. Create one for each service, and keep it:
///
/// ```swift
/// let api = HTTPSessionManager(baseURL: URL(string: "https://api.example.com/v1/"))
/// let user = try await api.get("users/7", as: User.self)
/// ```
///
/// Every member can be used on any thread. A setting applies to the tasks that are created after
/// it changes.
open class HTTPSessionManager: SessionManager, @unchecked Sendable {
    // @unchecked as in the superclass: it adds only a constant and a `Setting`.

    /// The URL that paths are resolved against; nil if every path is an absolute URL.
    public let baseURL: URL?
    let requests: Setting<any RequestSerializer>

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are resolved against. If its path does not end with a slash,
    ///     one is added, so that the last component is kept.
    ///   - configuration: The configuration of the manager's tasks.
    ///   - transport: The transport that performs exchanges, or nil for the process's shared
    ///     transport, which uses libcurl, and keeps the connections of managers apart.
    public init(
        baseURL: URL? = nil,
        configuration: SessionConfiguration = .default,
        transport: (any Transport)? = nil
    ) {
        self.baseURL = baseURL.map(Self.withSlash)
        requests = Setting(HTTPRequestSerializer())
        super.init(configuration: configuration, transport: transport)
    }

    private static func withSlash(_ url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            !parts.percentEncodedPath.isEmpty, !parts.percentEncodedPath.hasSuffix("/")
        else { return url }
        parts.percentEncodedPath += "/"
        return parts.url ?? url
    }
}

extension HTTPSessionManager: CustomReflectable {
    /// A mirror with the base URL, without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["baseURL": baseURL?.withoutSecrets as Any],
            ancestorRepresentation: .suppressed
        )
    }
}

extension HTTPSessionManager {
    /// The serializer that puts parameters into requests; default ``HTTPRequestSerializer``.
    ///
    /// The property can be changed in place from any thread. Changes are serialized, and readers
    /// get the previous value until a change is complete.
    public var requestSerializer: any RequestSerializer {
        get { requests.value }
        _modify { yield &requests.value }
    }

    /// The interceptors that adapt and retry new tasks, in this order; default none.
    ///
    /// The interceptors of a call come after them. The property can be changed in place from any
    /// thread. Changes are serialized, and readers get the previous value until a change is
    /// complete.
    public var interceptors: [any RequestInterceptor] {
        get { settings.withLock { $0.interceptors } }
        _modify {
            turns.interceptors.begin()
            var changed = settings.withLock { $0.interceptors }
            defer {
                settings.withLock { swap(&$0.interceptors, &changed) }
                turns.interceptors.end()
            }
            yield &changed
        }
    }

    /// Returns the URL of a path, resolved as in RFC 3986 section 5, or nil if there is none.
    ///
    /// Characters that a URL cannot contain are escaped, and existing escapes are kept. A string is
    /// a whole URL if it begins with `http:`, `https:`, or another scheme followed by `://`. Any
    /// other string is a path below ``baseURL``. That includes a path with a colon, such as
    /// `documents:batchGet`, unless its first segment contains an `@`.
    ///
    /// - Parameter path: The path, or a whole URL. A path that begins with a slash replaces that of
    ///   ``baseURL``.
    /// - Returns: The absolute URL, or nil if the text is not a URL or part of one.
    public func url(for path: String) -> URL? { URL(path: path, relativeTo: baseURL) }

    /// Returns the request for a method and a path, or the error with which its task fails.
    func request(
        _ method: HTTPMethod,
        _ path: String,
        _ parameters: (any Encodable & Sendable)?,
        _ headers: HTTPHeaders?,
        _ options: TaskOptions?
    ) -> Result<URLRequest, BluebonnetError> {
        request(method, path, headers, options) { serializer, request in
            try serializer.serialize(request, encoding: parameters)
        }
    }

    /// Returns the request that a serializer creates for a method and a path.
    func request(
        _ method: HTTPMethod,
        _ path: String,
        _ headers: HTTPHeaders?,
        _ options: TaskOptions?,
        _ serialize: (any RequestSerializer, URLRequest) throws -> URLRequest
    ) -> Result<URLRequest, BluebonnetError> {
        guard let url = url(for: path) else {
            let shown = path.withoutURLSecrets.quoted
            let reason = "the path \(shown) of a \(method.rawValue) is not a URL or part of one"
            return .failure(.invalidRequest(reason, .init()))
        }
        var request = URLRequest(method, url)
        var serializer = requestSerializer
        do {
            if let encoder = options?.values.encoder {
                serializer = try serializer.sendingJSON(by: encoder)
            }
            if let headers { try request.replaceFields(with: headers) }
            request = try serialize(serializer, request)
            // Applied again, because the caller's fields override those of the serializer.
            if let headers { try request.replaceFields(with: headers) }
            return .success(request)
        } catch {
            return .failure(
                .invalidRequest("\(error)", .init(request: request, underlying: error))
            )
        }
    }

    // MARK: Response serializers

    /// The judge that validates heads as the manager's serializer does, except for the content
    /// type.
    var judge: HeadJudge { HeadJudge(serializer: responseSerializer) }

    /// The serializer that returns bodies unchanged.
    var body: BodySerializer { BodySerializer(judge: judge) }

    /// Returns a serializer that decodes JSON.
    ///
    /// If the manager's own serializer is one for JSON, the result accepts the same responses.
    func decoding<Value: Decodable & Sendable>() -> DecodableResponseSerializer<Value> {
        guard let json = responseSerializer as? JSONResponseSerializer else { return .init() }
        var serializer = DecodableResponseSerializer<Value>(
            acceptableStatusCodes: json.acceptableStatusCodes,
            acceptableContentTypes: DecodableResponseSerializer<Value>.readsBody
                ? json.acceptableContentTypes : nil,
            maximumDocumentSize: json.maximumDocumentSize
        )
        serializer.replacesLoneSurrogates = json.replacesLoneSurrogates
        return serializer
    }
}

extension URL {
    /// Creates the URL of a path below a base, as ``HTTPSessionManager/url(for:)`` describes.
    package init?(path: String, relativeTo base: URL?) {
        if let url = base.flatMap({ PathPrefix(of: $0) })?.url(of: path) {
            self = url
        } else if !path.isEmpty {
            self.init(reference: path.isColonPath ? "./" + path : path, relativeTo: base)
        } else if let base {
            self = base
        } else {
            return nil
        }
    }
}

extension String {
    /// Whether this is a path with a colon in its first segment, which RFC 3986 would parse as a
    /// scheme.
    ///
    /// It is false if the segment could be a user, a password and a host: as a path, it would be
    /// sent to the base URL's host.
    fileprivate var isColonPath: Bool {
        let segment = utf8.prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard let colon = segment.firstIndex(of: UInt8(ascii: ":")),
            !segment.contains(UInt8(ascii: "@"))
        else { return false }
        let scheme = String(self[..<colon])
        return !scheme.caseInsensitiveEquals("http") && !scheme.caseInsensitiveEquals("https")
            && !utf8[colon...].starts(with: "://".utf8)
    }
}
