public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Settings for one call.
///
/// Pass one option, or several in an array:
///
/// ```swift
/// api.get("users", options: .timeout(5)) { response in print(response) }
/// api.get("users", options: [.deadline(2), .cookies(false)]) { response in print(response) }
/// ```
///
/// If two options contradict each other, the later one applies. The manager's settings apply to
/// everything else. Times are in seconds; ``BluebonnetError/timeout`` names the limit that was
/// exceeded.
public struct RequestOptions: Sendable {
    private var changes: [@Sendable (inout Values) -> Void] = []

    /// Creates an empty set of options.
    public init() {}

    private init(_ change: @escaping @Sendable (inout Values) -> Void) {
        changes = [change]
    }

    /// The combined values of the options; nil if there are none.
    var values: Values? {
        guard !changes.isEmpty else { return nil }
        var values = Values()
        for change in changes { change(&values) }
        return values
    }

    /// The values that options can set.
    struct Values: Sendable {
        var deadline: TimeInterval?
        var idleTimeout: TimeInterval?
        var connectTimeout: TimeInterval?
        var headTimeout: TimeInterval?
        var queueTimeout: TimeInterval?
        var redirects: RedirectRule?
        var route: Exchange.Route?
        var decodesContent: Bool?
        var handlesCookies: Bool?
        var priority: Float?
        var attributes: TaskAttributes?
        var encoder: JSONBodyEncoder?
        var decoder: JSONDecoder?
        var files: DownloadOptions = []
        var interceptors: [any RequestInterceptor] = []
        var uploadProgress: ProgressHandler?
        var downloadProgress: ProgressHandler?
    }
}

extension RequestOptions: ExpressibleByArrayLiteral {
    /// Creates options that combine the options of an array.
    ///
    /// - Parameter elements: The options. Of two that contradict each other, the later one applies.
    public init(arrayLiteral elements: RequestOptions...) {
        changes = elements.flatMap(\.changes)
    }
}

// MARK: Time limits

extension RequestOptions {
    /// Limits the time of the whole task, from its first `resume()` to its end.
    ///
    /// It replaces `whole` of ``SessionConfiguration/timeouts``. Redirects, challenges, hooks,
    /// retries and suspensions count.
    ///
    /// - Parameter seconds: The limit in seconds. With 0 or less, the task fails at once; infinity
    ///   is no limit.
    /// - Returns: The option.
    public static func deadline(_ seconds: TimeInterval) -> Self { Self { $0.deadline = seconds } }

    /// Limits the time without data in either direction.
    ///
    /// It replaces `idle` of ``SessionConfiguration/timeouts`` and the request's own
    /// `timeoutInterval`.
    ///
    /// - Parameter seconds: The limit in seconds; 0 for no limit.
    /// - Returns: The option.
    public static func timeout(_ seconds: TimeInterval) -> Self {
        Self { $0.idleTimeout = seconds }
    }

    /// Limits the time for establishing a connection, including TLS.
    ///
    /// - Parameter seconds: The limit in seconds; 0 for no limit.
    /// - Returns: The option.
    public static func connectTimeout(_ seconds: TimeInterval) -> Self {
        Self { $0.connectTimeout = seconds }
    }

    /// Limits the time from sending the request to receiving the response's head.
    ///
    /// - Parameter seconds: The limit in seconds; 0 for no limit.
    /// - Returns: The option.
    public static func headTimeout(_ seconds: TimeInterval) -> Self {
        Self { $0.headTimeout = seconds }
    }

    /// Limits the time for which the task waits for a connection slot.
    ///
    /// - Parameter seconds: The limit in seconds; 0 for no limit.
    /// - Returns: The option.
    public static func queueTimeout(_ seconds: TimeInterval) -> Self {
        Self { $0.queueTimeout = seconds }
    }
}

// MARK: Route and response

extension RequestOptions {
    /// Applies a rule to redirects, in place of the hook
    /// ``SessionManager/taskWillPerformHTTPRedirection(_:head:newRequest:)``.
    ///
    /// - Parameter rule: Whether to follow redirects, or a closure that decides for each.
    /// - Returns: The option.
    public static func redirects(_ rule: RedirectRule) -> Self { Self { $0.redirects = rule } }

    /// Sets the route of the task's connections, in place of ``SessionConfiguration/route``.
    ///
    /// Each route has its own connections, up to ``SessionConfiguration/maximumConnections``. The
    /// connections of the 32 most recently used routes are kept.
    ///
    /// - Parameter route: A proxy, a Unix socket or other addresses; see <doc:Proxies>.
    /// - Returns: The option.
    public static func route(_ route: Exchange.Route) -> Self { Self { $0.route = route } }

    /// Sets whether content codings are removed from the body.
    ///
    /// It replaces ``SessionConfiguration/decodesContent``. If false, the body is delivered as it
    /// was sent, and no coding is requested unless you set `Accept-Encoding`.
    ///
    /// - Parameter decodes: Whether to decompress the body.
    /// - Returns: The option.
    public static func decodesContent(_ decodes: Bool) -> Self {
        Self { $0.decodesContent = decodes }
    }

    /// Sets whether cookies are sent and kept.
    ///
    /// - Parameter areHandled: Whether to send and keep them. If false, the task neither reads nor
    ///   changes the manager's cookies.
    /// - Returns: The option.
    public static func cookies(_ areHandled: Bool) -> Self {
        Self { $0.handlesCookies = areHandled }
    }

    /// Sets the priority among tasks that wait for a connection, as ``SessionTask/priority`` does.
    ///
    /// - Parameter priority: From 0 to 1; the highest goes first. Without this option, it is 0.5.
    /// - Returns: The option.
    public static func priority(_ priority: Float) -> Self { Self { $0.priority = priority } }

    /// Sets an attribute of the task for its transport and monitors; see
    /// ``SessionTask/attributes``.
    ///
    /// - Parameters:
    ///   - key: The type that identifies the attribute.
    ///   - value: The value for this task.
    /// - Returns: The option.
    public static func attribute<Key: TaskAttributeKey>(
        _ key: Key.Type, _ value: Key.Value
    ) -> Self {
        Self { $0.set(key, value) }
    }

    /// Sets a text that identifies the task, as ``TaskAttributes/tag`` does.
    ///
    /// - Parameter tag: The text, which log lines and monitors show.
    /// - Returns: The option.
    public static func tag(_ tag: String) -> Self {
        Self { values in
            var attributes = values.attributes ?? TaskAttributes()
            attributes.tag = tag
            values.attributes = attributes
        }
    }

    /// Adds an interceptor to the task, after the manager's ``HTTPSessionManager/interceptors``.
    ///
    /// The option can be used more than once. The task fails if its manager is a plain
    /// ``SessionManager``.
    ///
    /// - Parameter interceptor: Adapts and retries the request, such as `.server`.
    /// - Returns: The option.
    public static func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        Self { $0.interceptors.append(interceptor) }
    }

    /// Sets how a downloaded file is moved to its destination.
    ///
    /// - Parameter options: Whether to create directories, to replace a file, or to keep a partial
    ///   file, in place of the defaults; see ``DownloadOptions``.
    /// - Returns: The option.
    public static func file(_ options: DownloadOptions) -> Self { Self { $0.files = options } }
}

extension RequestOptions.Values {
    fileprivate mutating func set<Key: TaskAttributeKey>(_ key: Key.Type, _ value: Key.Value) {
        var attributes = attributes ?? TaskAttributes()
        attributes[key] = value
        self.attributes = attributes
    }
}

// MARK: Bodies

extension RequestOptions {
    /// Sends the parameters as JSON, written by an encoder.
    ///
    /// It applies whichever of the library's request serializers the manager has. With a custom
    /// serializer, the request fails.
    ///
    /// - Parameter encoder: The encoder for this call, in place of
    ///   ``HTTPSessionManager/JSON/encoder``.
    /// - Returns: The option.
    public static func encoder(_ encoder: JSONBodyEncoder) -> Self { Self { $0.encoder = encoder } }

    /// Decodes the response with a decoder, in place of ``HTTPSessionManager/JSON/decoder``.
    ///
    /// It applies to `as:`, to the `async` forms, and to serializers that were created without a
    /// decoder.
    ///
    /// - Parameter decoder: The decoder for this call. Threads can share it.
    /// - Returns: The option.
    public static func decoder(_ decoder: JSONDecoder) -> Self { Self { $0.decoder = decoder } }

    /// Sets a handler that is called on the callback queue while the request's body is sent.
    ///
    /// - Parameter handler: Receives the `Progress`; see ``ProgressHandler``. It delays the manager's
    ///   other callbacks, so keep it short.
    /// - Returns: The option.
    public static func uploadProgress(_ handler: @escaping ProgressHandler) -> Self {
        Self { $0.uploadProgress = handler }
    }

    /// Sets a handler that is called on the callback queue while the response's body arrives.
    ///
    /// - Parameter handler: Receives the `Progress`; see ``ProgressHandler``. It delays the manager's
    ///   other callbacks, so keep it short.
    /// - Returns: The option.
    public static func downloadProgress(_ handler: @escaping ProgressHandler) -> Self {
        Self { $0.downloadProgress = handler }
    }
}

/// A rule for the redirects of a task.
public enum RedirectRule: Sendable {
    /// Follows redirects, within the limits of ``SessionConfiguration``.
    case follow
    /// Follows no redirect: the first one is the response.
    case doNotFollow
    /// Calls a closure with the redirect's head and the proposed request.
    ///
    /// The closure returns the proposed request, another one, or nil, which makes the redirect the
    /// response. It delays only its own task.
    case decide(@Sendable (ResponseHead, URLRequest) async -> URLRequest?)
}

/// The values of one call's options, kept with its task.
package final class TaskOptions: Sendable {
    let values: RequestOptions.Values

    private init(values: RequestOptions.Values) { self.values = values }

    /// Creates the options; nil if they have no values.
    // A convenience initializer, so that no object is allocated if there are no values.
    convenience init?(_ options: RequestOptions) {
        guard let values = options.values else { return nil }
        self.init(values: values)
    }
}

extension RequestOptions.Values {
    /// Returns a source of requests with these options.
    func applied(to source: RequestSource) -> RequestSource {
        guard let handlesCookies else { return source }
        return source.map { request in
            var request = request
            request.httpShouldHandleCookies = handlesCookies
            return request
        }
    }
}
