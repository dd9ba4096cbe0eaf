public import BluebonnetTransport
import Foundation

/// The settings that a manager's tasks share, read once when the manager is created.
public struct SessionConfiguration: Sendable {
    /// The time limits of a task and its exchanges, in seconds.
    ///
    /// - `connect`: Establishing a connection, including TLS. Default 30.
    /// - `idle`: The time without data in either direction. Default 60. A request's own
    ///   `timeoutInterval` replaces it, unless that is Foundation's default of 60.
    /// - `queue`: Waiting for a connection slot. Default nil, no limit.
    /// - `head`: Waiting for the response's head. Default nil, no limit.
    /// - `queueStall`: Waiting for a connection slot while no byte moves on any connection that the
    ///   task could use, for example because their responses are not read. Default 60.
    /// - `whole`: The whole task from its first `resume()`, including redirects, challenges, hooks,
    ///   retries and suspensions, on any transport. Default nil, no limit. With 0 or less, a task
    ///   fails at once.
    ///
    /// ``BluebonnetError/timeout`` names the limit that was exceeded.
    public var timeouts = Exchange.Timeouts(connect: 30, idle: 60, queueStall: 60)
    /// The time for each answer of ``SessionManager/didReceiveChallenge(_:challenge:)``, in
    /// seconds; nil for no limit.
    ///
    /// Default 60. If the hook does not answer in time, its task fails and the hook's Swift task is
    /// canceled. `timeouts.whole` limits every asynchronous hook.
    public var challengeTimeout: TimeInterval? = 60
    /// The time for each answer of an adapter or a retrier, in seconds; nil for no limit.
    ///
    /// Default 60. If an adapter does not answer in time, the attempt fails. If a retrier does not,
    /// the task fails. The Swift task of the adapter or retrier is canceled. The time counts toward
    /// `timeouts.whole`.
    public var interceptorTimeout: TimeInterval? = 60
    /// The maximum number of attempts of a task, including the first.
    ///
    /// Default 10. Retriers are not asked about the last attempt.
    public var maximumAttempts = 10
    /// The maximum number of connections to one scheme, host and port.
    ///
    /// Default 64. Further tasks wait.
    public var maximumConnectionsPerHost = 64
    /// The maximum number of connections in total.
    ///
    /// Default 512. Further tasks wait. The last sixteenth, at most 16, is reserved for hosts that
    /// answer and have few connections, so that slow hosts cannot hold all of them.
    public var maximumConnections = 512
    /// The maximum number of tasks that share a connection to a server that supports HTTP/2.
    ///
    /// Default 100.
    public var maximumStreamsPerConnection = 100
    /// The time for which an unused connection is kept, in seconds; nil for no limit.
    ///
    /// Default 30, because load balancers close idle connections after a minute. The value is
    /// rounded up to whole seconds, and is at least 1. The connection is closed up to two seconds
    /// later. If the server announces a shorter time in `Keep-Alive`, the connection is closed one
    /// second before that.
    public var idleConnectionTimeout: TimeInterval? = 30
    /// The age after which a connection serves no new requests, in seconds; nil for no limit.
    ///
    /// Default 600, so that changes of addresses and certificates take effect. The value is rounded
    /// up to whole seconds, and is at least 1.
    public var maximumConnectionLifetime: TimeInterval? = 600
    /// The HTTP version.
    ///
    /// The default is HTTP/2 if TLS negotiates it and libcurl is 8.14 or later, and HTTP/1.1
    /// otherwise. Tasks that request HTTP/2 from an older libcurl fail.
    public var httpVersion = Exchange.HTTPVersion.automatic
    /// The proxies, Unix sockets, address overrides and local address of connections.
    ///
    /// The default is a direct connection, regardless of environment variables.
    public var route = Exchange.Route()
    /// The hosts and addresses that requests can reach, including by redirects; nil, the default,
    /// for all.
    ///
    /// Set `.publicInternetOnly` if URLs come from users or other systems.
    /// ``BluebonnetError/addressDenial`` describes what was denied.
    public var addressGuard: AddressGuard?
    /// The hosts whose responses can end without a TLS `close_notify`; default none.
    ///
    /// It applies to responses without a length or chunked coding, which end with the connection
    /// (RFC 9112 section 9.8). Without `close_notify`, such a response fails, because anyone on the
    /// network path can end a connection. From these hosts it is accepted as complete. Patterns are
    /// matched against the URL's host. An invalid pattern matches no host.
    public var hostsWithoutCloseNotify: Set<HostPattern> = []
    /// The initial value of ``SessionManager/clientIdentity``; default none.
    public var clientIdentity: ClientIdentity?
    /// The maximum size of a body that is collected in memory, in bytes after decoding.
    ///
    /// Default 1 GiB. ``BluebonnetError/limit`` names the limit that a response exceeded, for this
    /// and every other limit.
    public var maximumResponseBodySize = 1024 * 1024 * 1024
    /// The maximum size of a body that goes to a file or a stream, in bytes after decoding; nil,
    /// the default, for no limit.
    ///
    /// For a resumed download, the part that is already in the file does not count.
    public var maximumStreamedBodySize: Int?
    /// The maximum size of a refused response's body in the error of a download or stream, in bytes
    /// after decoding.
    ///
    /// Default 1 MiB, but no more than ``maximumResponseBodySize``. The rest is not received, and
    /// ``BluebonnetError/Context/isDataCut`` is true. The error is the one with which the head was
    /// refused. A body that is collected in memory anyway has the limit of all such bodies.
    public var maximumErrorBodySize = 1024 * 1024
    /// The time for receiving a body that is not delivered, in seconds; nil for no limit.
    ///
    /// Default 5. It applies to the body of a refused response to a download or stream, and to that
    /// of a redirect or challenge, which is read so that its connection can be used again. The time
    /// begins with the head and goes on while the task is suspended. After it, the task continues
    /// with what has arrived, as if the body had ended.
    public var errorBodyTimeout: TimeInterval? = 5
    /// The maximum size of any body as it is sent, in bytes before decoding; nil, the default, for
    /// no limit.
    public var maximumEncodedBodySize: Int?
    /// The maximum number of decoded bytes for each byte that was sent; nil for no limit.
    ///
    /// Default 1,100. A single gzip or deflate coding cannot reach that, so only a decompression
    /// bomb exceeds it. The limit applies once a body has more than 1 MiB after decoding.
    public var maximumExpansionRatio: Int? = 1100
    /// The number of body bytes that can wait for a reader, the disk or the callback queue before
    /// the sender is paused.
    ///
    /// Default 1 MiB. It can be exceeded by one piece, of 64 KiB or, if decoded, 256 KiB, and by
    /// libcurl's own buffer of 64 KiB. Over HTTP/1.1, about 16 MiB more can arrive while the
    /// request's body is still being sent. After that, sending pauses too, until the response is
    /// read.
    public var streamBufferSize = 1024 * 1024
    /// The maximum number of content codings of a body that is decoded.
    ///
    /// Default 4. Servers usually use one.
    public var maximumContentCodings = 4
    /// The maximum size of a response's head including interim responses, in bytes.
    ///
    /// Default 256 KiB. libcurl has its own limits of about 100 KB for a line and 300 KB in total.
    public var maximumResponseHeadSize = 256 * 1024
    /// The maximum number of header fields of a response; default 1,000.
    public var maximumResponseHeaderCount = 1000
    /// The maximum size of a response's trailer, in bytes.
    ///
    /// Default 64 KiB. libcurl itself accepts no line of more than 4 KiB.
    public var maximumTrailerSize = 64 * 1024
    /// The maximum number of fields in a response's trailer.
    ///
    /// Default 100. A trailer usually holds one or two checksums, or a status.
    public var maximumTrailerCount = 100
    /// The maximum number of interim responses (1xx) before the final one.
    ///
    /// Default 16. Servers send one or two, and some send one every few seconds while they work.
    public var maximumInterimResponses = 16
    /// The maximum number of redirects that a task follows in one attempt; default 20.
    public var maximumRedirects = 20
    /// Whether a task follows a redirect back to a request that it has already sent, unchanged.
    ///
    /// Default false: such a task fails at the first repetition. If true, the task continues up to
    /// ``maximumRedirects``, for servers that redirect until something is ready.
    public var followsRepeatedRedirects = false
    /// Whether redirects from https to http are followed; default false.
    public var followsRedirectsToPlainHTTP = false
    /// Whether header fields with credentials follow a redirect to another scheme, host or port.
    ///
    /// Default false. It applies to `Authorization`, `Cookie`, `Referer` and any field whose name
    /// suggests a secret, if the request or ``additionalHeaders`` sets them. A name suggests a
    /// secret if it contains a word such as "token", "secret", "session" or "key", as in
    /// `X-Api-Key`. Removed fields are not restored when a later redirect leads back. Cookies of a
    /// ``CookieStorage`` and credentials for challenges never follow.
    public var keepsCredentialsAcrossOrigins = false
    /// The names of further header fields that never follow a redirect to another scheme, host or
    /// port.
    ///
    /// Default none. Names are case-insensitive. Values that a redirect hook sets in these fields
    /// are sent.
    public var headersBoundToOrigin: Set<String> = []
    /// Finds what errors, logs, spans, and cURL commands must not show, beside the secrets that the
    /// library knows; default none.
    ///
    /// ```swift
    /// configuration.redactor = Redactor { text in
    ///     text.matches(of: /accounts\/(\d+)/).map { String($0.output.1) }
    /// }
    /// ```
    ///
    /// ``Redactor/furtherSecrets`` is called with paths, URLs, and messages, on any thread.
    public var redactor: Redactor?
    /// Starts a span for each attempt, and sends its context; default none.
    ///
    /// ```swift
    /// configuration.tracer = TraceContextTracer()
    /// ```
    public var tracer: (any AttemptTracer)?
    /// Whether the fields of a ``tracer`` follow a redirect to another scheme, host or port.
    ///
    /// Default false, because they can reveal how requests belong together.
    public var keepsTraceContextAcrossOrigins = false
    /// Whether content codings are removed from bodies; default true.
    public var decodesContent = true
    /// Whether a response whose body has an unknown content coding fails.
    ///
    /// Default false: the body is delivered as it was sent, with all of its codings, and
    /// ``ResponseHead/contentCodings`` lists the unknown ones. If true, the task fails with
    /// `.transport` and the code `cannotDecodeContentData`, unless the head is refused for another
    /// reason. The bodies of redirects and challenges that are followed are not checked.
    public var refusesUnknownContentCodings = false
    /// The clock for deadlines and delays; default the system's clock.
    ///
    /// The transport enforces the timeouts of individual exchanges. ``CurlTransport`` measures them
    /// in real time.
    public var clock: any SessionClock = .system
    /// How the manager handles cookies; default in its own jar, in memory.
    public var cookies = CookieHandling.ephemeral
    /// The header fields that are added to every request that does not have them already.
    ///
    /// Default: `User-Agent`, and `Accept-Encoding` with gzip, br and zstd if ``decodesContent`` is
    /// true. Assigned fields are added to these two, which stay until they are set or removed by
    /// name:
    ///
    /// ```swift
    /// configuration.additionalHeaders = ["X-Tenant": "7"]  // adds a field
    /// configuration.additionalHeaders["User-Agent"] = nil  // removes a default field
    /// ```
    ///
    /// Fields such as `Authorization`, `Cookie` and `Host` are sent to the origin of any request,
    /// but do not follow a redirect to another origin; see ``keepsCredentialsAcrossOrigins``.
    public var additionalHeaders: HTTPHeaders = .sessionDefault {
        didSet { additionalHeaders.addDefaults(of: oldValue) }
    }
    /// Whether notifications are posted even if none of their names has been read.
    ///
    /// Default false: every manager of the process posts notifications from the moment that a
    /// property such as ``SessionTask/didCompleteNotification`` is first read. An observer of one
    /// notification has to read its name. Set this to true for an observer of all notifications, or
    /// of a name written as a string. Otherwise such an observer receives nothing until a name is
    /// read.
    public var postsNotifications = false

    /// The default configuration.
    public static var `default`: SessionConfiguration { SessionConfiguration() }

    /// Creates a configuration with default values.
    public init() {}
}

/// How a manager handles cookies.
public enum CookieHandling: Sendable {
    /// Keeps cookies in memory, in the manager's own jar.
    case ephemeral
    /// Keeps cookies in a storage that other managers can use too.
    case shared(CookieStorage)
    /// Keeps and sends no cookies, unless a request has its own `Cookie` field.
    case off
}

/// The library's version.
public enum BluebonnetVersion {
    /// The major, minor and patch version.
    public static let current = "0.2.0"
}

extension SessionConfiguration {
    /// Returns the additional fields, without the default `Accept-Encoding` if content is not
    /// decoded.
    func sentHeaders(decodesContent: Bool) -> HTTPHeaders {
        var headers = additionalHeaders
        let codings = HTTPHeaders.Field.defaultAcceptEncoding
        if !decodesContent, headers[codings.name] == codings.value { headers[codings.name] = nil }
        return headers
    }
}
