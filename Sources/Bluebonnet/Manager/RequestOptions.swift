public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Settings of one call: one option, several in an array, or several after one another.
///
/// ```swift
/// api.get("users", options: .timeout(5)) { response in print(response) }
/// api.get("users", options: [.deadline(2), .cookies(false)]) { response in print(response) }
/// api.get("users", options: .deadline(2).cookies(false)) { response in print(response) }
/// ```
///
/// Of two that contradict each other the later one counts; everything else is as the manager has it. Times
/// are in seconds; ``BluebonnetError/timeout`` names the one that struck.
public struct RequestOptions: Sendable {
    private var changes: [@Sendable (inout Values) -> Void] = []

    /// Makes options of which there are none.
    public init() {}

    private init(_ change: @escaping @Sendable (inout Values) -> Void) {
        changes = [change]
    }

    private func adding(_ other: RequestOptions) -> RequestOptions {
        var sum = self
        sum.changes += other.changes
        return sum
    }

    /// What they say; nil where they say nothing.
    var values: Values? {
        guard !changes.isEmpty else { return nil }
        var values = Values()
        for change in changes { change(&values) }
        return values
    }

    /// What options can say.
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
    /// Makes options of several.
    public init(arrayLiteral elements: RequestOptions...) {
        changes = elements.flatMap(\.changes)
    }
}

// MARK: Time

extension RequestOptions {
    /// How long the whole task may take, from its `resume()` to its end; infinity for no limit.
    ///
    /// In place of `whole` of ``SessionConfiguration/timeouts``: redirects, challenges, hooks and
    /// suspensions count. With 0 or less the task fails at once.
    public static func deadline(_ seconds: TimeInterval) -> Self { Self { $0.deadline = seconds } }

    /// How long no data may pass in either direction; 0 for no limit.
    ///
    /// In place of `idle` of ``SessionConfiguration/timeouts`` and of the request's own `timeoutInterval`.
    public static func timeout(_ seconds: TimeInterval) -> Self {
        Self { $0.idleTimeout = seconds }
    }

    /// How long a connection may take, TLS included; 0 for no limit.
    public static func connectTimeout(_ seconds: TimeInterval) -> Self {
        Self { $0.connectTimeout = seconds }
    }

    /// How long the response's head may take once the request is sent; 0 for no limit.
    public static func headTimeout(_ seconds: TimeInterval) -> Self {
        Self { $0.headTimeout = seconds }
    }

    /// How long the task may wait for a connection slot; 0 for no limit.
    public static func queueTimeout(_ seconds: TimeInterval) -> Self {
        Self { $0.queueTimeout = seconds }
    }
}

// MARK: The way and the response

extension RequestOptions {
    /// Follows redirects by a rule, in place of the hook
    /// ``SessionManager/taskWillPerformHTTPRedirection(_:head:newRequest:)``.
    public static func redirects(_ rule: RedirectRule) -> Self { Self { $0.redirects = rule } }

    /// The way that the connections take, in place of ``SessionConfiguration/route``.
    ///
    /// Each route has connections of its own, up to ``SessionConfiguration/maximumConnections`` of them. Those
    /// of the 32 routes that were used last are kept.
    public static func route(_ route: Exchange.Route) -> Self { Self { $0.route = route } }

    /// Whether content codings are removed from the body: with false it comes as it was sent.
    ///
    /// As ``SessionConfiguration/decodesContent``; with false no coding is asked for, unless a header field
    /// of yours does.
    public static func decodesContent(_ decodes: Bool) -> Self {
        Self { $0.decodesContent = decodes }
    }

    /// Whether cookies are sent and kept.
    public static func cookies(_ areHandled: Bool) -> Self {
        Self { $0.handlesCookies = areHandled }
    }

    /// Which task goes first where several wait for a connection, as ``SessionTask/priority``.
    public static func priority(_ priority: Float) -> Self { Self { $0.priority = priority } }

    /// An attribute of the task, for its transport and its monitors; see ``SessionTask/attributes``.
    public static func attribute<Key: TaskAttributeKey>(
        _ key: Key.Type, _ value: Key.Value
    ) -> Self {
        Self { $0.set(key, value) }
    }

    /// Text that tells the task from others, as ``TaskAttributes/tag``.
    public static func tag(_ tag: String) -> Self {
        Self { values in
            var attributes = values.attributes ?? TaskAttributes()
            attributes.tag = tag
            values.attributes = attributes
        }
    }

    /// Adapts and retries the task, behind the manager's ``HTTPSessionManager/interceptors``; several add up.
    ///
    /// On a plain ``SessionManager`` the task fails.
    public static func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        Self { $0.interceptors.append(interceptor) }
    }

    /// How a downloaded file gets to its destination.
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
    /// Sends the parameters as JSON, written by an encoder, whichever of the library's serializers the manager
    /// has; one of your own fails the request.
    public static func encoder(_ encoder: JSONBodyEncoder) -> Self { Self { $0.encoder = encoder } }

    /// Decodes the response by a decoder, in place of ``HTTPSessionManager/JSON/decoder``.
    ///
    /// It counts for `as:`, for the `async` forms, and for serializers that were made without a decoder.
    public static func decoder(_ decoder: JSONDecoder) -> Self { Self { $0.decoder = decoder } }

    /// Called while the request's body is sent, on the callback queue.
    public static func uploadProgress(_ handler: @escaping ProgressHandler) -> Self {
        Self { $0.uploadProgress = handler }
    }

    /// Called while the response's body comes, on the callback queue.
    public static func downloadProgress(_ handler: @escaping ProgressHandler) -> Self {
        Self { $0.downloadProgress = handler }
    }
}

// MARK: One after another

extension RequestOptions {
    /// These, and a `deadline`.
    public func deadline(_ seconds: TimeInterval) -> Self { adding(.deadline(seconds)) }
    /// These, and a `timeout`.
    public func timeout(_ seconds: TimeInterval) -> Self { adding(.timeout(seconds)) }
    /// These, and a `connectTimeout`.
    public func connectTimeout(_ seconds: TimeInterval) -> Self { adding(.connectTimeout(seconds)) }
    /// These, and a `headTimeout`.
    public func headTimeout(_ seconds: TimeInterval) -> Self { adding(.headTimeout(seconds)) }
    /// These, and a `queueTimeout`.
    public func queueTimeout(_ seconds: TimeInterval) -> Self { adding(.queueTimeout(seconds)) }
    /// These, and a rule for redirects.
    public func redirects(_ rule: RedirectRule) -> Self { adding(.redirects(rule)) }
    /// These, and a route.
    public func route(_ route: Exchange.Route) -> Self { adding(.route(route)) }
    /// These, and whether content codings are removed.
    public func decodesContent(_ decodes: Bool) -> Self { adding(.decodesContent(decodes)) }
    /// These, and whether cookies are sent and kept.
    public func cookies(_ areHandled: Bool) -> Self { adding(.cookies(areHandled)) }
    /// These, and a priority.
    public func priority(_ priority: Float) -> Self { adding(.priority(priority)) }
    /// These, and an attribute.
    public func attribute<Key: TaskAttributeKey>(_ key: Key.Type, _ value: Key.Value) -> Self {
        adding(.attribute(key, value))
    }
    /// These, and a tag.
    public func tag(_ tag: String) -> Self { adding(.tag(tag)) }
    /// These, and an interceptor.
    public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        adding(.interceptor(interceptor))
    }
    /// These, and how a downloaded file gets to its destination.
    public func file(_ options: DownloadOptions) -> Self { adding(.file(options)) }
    /// These, and an encoder of JSON.
    public func encoder(_ encoder: JSONBodyEncoder) -> Self { adding(.encoder(encoder)) }
    /// These, and a decoder of JSON.
    public func decoder(_ decoder: JSONDecoder) -> Self { adding(.decoder(decoder)) }
    /// These, and a handler of the upload's progress.
    public func uploadProgress(_ handler: @escaping ProgressHandler) -> Self {
        adding(.uploadProgress(handler))
    }
    /// These, and a handler of the download's progress.
    public func downloadProgress(_ handler: @escaping ProgressHandler) -> Self {
        adding(.downloadProgress(handler))
    }
}

/// A rule for the redirects of a task.
public enum RedirectRule: Sendable {
    /// They are followed, as far as ``SessionConfiguration`` lets them.
    case follow
    /// None is followed: the first is the response.
    case doNotFollow
    /// A closure decides: it is given the redirect's head and the request that is proposed, and answers with
    /// that, another, or none, in which case the redirect is the response.
    ///
    /// It holds up its own task alone.
    case decide(@Sendable (ResponseHead, URLRequest) async -> URLRequest?)
}

/// What the options of one call say, kept with its task.
final class TaskOptions: Sendable {
    let values: RequestOptions.Values

    private init(values: RequestOptions.Values) { self.values = values }

    /// The options; nil where they say nothing.
    // Convenient, so that no object is made where they do not.
    convenience init?(_ options: RequestOptions) {
        guard let values = options.values else { return nil }
        self.init(values: values)
    }
}

extension RequestOptions.Values {
    /// A request with what the options say of it.
    func applied(to source: RequestSource) -> RequestSource {
        guard let handlesCookies else { return source }
        return source.map { request in
            var request = request
            request.httpShouldHandleCookies = handlesCookies
            return request
        }
    }
}
