public import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// A manager with a base URL, a request serializer and the verbs of HTTP.
open class HTTPSessionManager: SessionManager, @unchecked Sendable {
    // @unchecked as in the superclass: a constant and a `Setting` are all that is added.

    /// What paths are resolved against; nil when every path is a whole URL.
    public let baseURL: URL?
    let requests: Setting<any RequestSerializer>

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are resolved against; a path in it that lacks a slash at its end
    ///     gets one, so that it is kept.
    ///   - configuration: What the tasks have in common.
    ///   - transport: What performs exchanges; nil for the process's own, on libcurl.
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
    /// The base URL, without user, password and query.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["baseURL": baseURL?.withoutSecrets as Any],
            ancestorRepresentation: .suppressed
        )
    }
}

extension HTTPSessionManager {
    /// Puts parameters into requests; default ``HTTPRequestSerializer``.
    ///
    /// It may be changed in place, from any threads: one change waits for another, and who reads it
    /// meanwhile reads what it was.
    public var requestSerializer: any RequestSerializer {
        get { requests.value }
        _modify { yield &requests.value }
    }

    /// Adapt and retry the tasks made from now on, in this order, before those of a call; default none.
    ///
    /// It may be changed in place, from any threads: one change waits for another, and readers meanwhile get the
    /// value from before.
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

    /// The URL that a path means, by RFC 3986 section 5; nil when it means none.
    ///
    /// What no URL may have is escaped, and what is escaped already stays as it is. A text is a whole URL
    /// if it begins with `http:`, `https:` or another scheme with `//` behind it. Every other is a path below
    /// ``baseURL``, also one with a colon, such as `documents:batchGet`, unless an `@` follows it.
    public func url(for path: String) -> URL? { URL(path: path, relativeTo: baseURL) }

    /// The request that is sent for a method and a path, or the error that its task fails with.
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

    /// The request that a serializer makes for a method and a path.
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
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        var serializer = requestSerializer
        do {
            if let encoder = options?.values.encoder {
                serializer = try serializer.sendingJSON(by: encoder)
            }
            if let headers { try request.replaceFields(with: headers) }
            request = try serialize(serializer, request)
            // Once more, because what the caller asks for beats what the serializer chose.
            if let headers { try request.replaceFields(with: headers) }
            return .success(request)
        } catch {
            return .failure(
                .invalidRequest("\(error)", .init(request: request, underlying: error))
            )
        }
    }

    // MARK: What judges and reads responses

    /// Judges heads by the manager's serializer, but for their content type.
    var judge: HeadJudge { HeadJudge(serializer: responseSerializer) }

    /// Gives bodies as they are.
    var body: BodySerializer { BodySerializer(judge: judge) }

    /// Decodes JSON; it accepts what the manager's own serializer does where that is one of JSON, too.
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
    /// The URL that a path means below a base, as ``HTTPSessionManager/url(for:)`` says.
    init?(path: String, relativeTo base: URL?) {
        guard path.isEmpty else {
            self.init(reference: path.isColonPath ? "./" + path : path, relativeTo: base)
            return
        }
        guard let base else { return nil }
        self = base
    }
}

extension String {
    /// Whether it is a path with a colon in its first segment, which RFC 3986 would take for a scheme.
    ///
    /// What looks like a user and a password, with a host behind them, is none: it would be sent to another.
    fileprivate var isColonPath: Bool {
        let segment = self[..<(firstIndex { "/?#".contains($0) } ?? endIndex)]
        guard let colon = segment.firstIndex(of: ":"), !segment.contains("@") else { return false }
        let scheme = segment[..<colon].lowercased()
        return scheme != "http" && scheme != "https" && !self[colon...].hasPrefix("://")
    }
}
