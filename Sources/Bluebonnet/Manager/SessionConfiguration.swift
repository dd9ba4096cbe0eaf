public import BluebonnetTransport
import Foundation

/// What a manager's tasks have in common; it is read once, when the manager is made.
public struct SessionConfiguration: Sendable {
    /// How long a task and its exchanges may take, in seconds.
    ///
    /// - `connect` is for the connection, TLS included. Default 30.
    /// - `idle` is the time without any data in either direction. Default 60. A request's own
    ///   `timeoutInterval` replaces it, unless that is Foundation's 60.
    /// - `queue` is for waiting for a connection slot, and `head` for the response's head. Default nil, no
    ///   limit.
    /// - `queueStall` is for waiting for a connection slot while no byte moves on any connection that the
    ///   task could get, for example because their responses are not read. Default 60.
    /// - `whole` is the time that a task has in all, from its first `resume()` on: redirects, challenges,
    ///   hooks and suspensions included, on any transport. Default nil, no limit; with 0 or less a task
    ///   fails at once.
    ///
    /// ``BluebonnetError/timeout`` names the one that struck.
    public var timeouts = Exchange.Timeouts(connect: 30, idle: 60, queueStall: 60)
    /// Seconds that ``SessionManager/didReceiveChallenge(_:challenge:)`` has for each answer; nil for
    /// no limit.
    ///
    /// Default 60. A task whose challenge is not answered in time fails, and the Swift task of the
    /// hook is cancelled. `timeouts.whole` bounds every hook that is asked.
    public var challengeTimeout: TimeInterval? = 60
    /// Seconds that each adapter and each retrier has to answer; nil for no limit.
    ///
    /// Default 60. An attempt whose adapter does not answer in time fails, and so does a task whose retrier does not.
    /// The Swift task in which it runs is cancelled. `timeouts.whole` counts meanwhile.
    public var interceptorTimeout: TimeInterval? = 60
    /// Attempts that one task has, the first included; retriers are not asked about the last.
    ///
    /// Default 10.
    public var maximumAttempts = 10
    /// Connections to one scheme, host and port; further tasks wait.
    ///
    /// Default 64.
    public var maximumConnectionsPerHost = 64
    /// Connections in all; further tasks wait.
    ///
    /// Default 512. The last sixteenth, at most 16, is reserved for hosts that have few connections.
    public var maximumConnections = 512
    /// Tasks that share a connection, where the server speaks HTTP/2.
    ///
    /// Default 100.
    public var maximumStreamsPerConnection = 100
    /// Seconds that an unused connection is kept; nil for no limit.
    ///
    /// Default 30, because load balancers close theirs after a minute. It is rounded up to whole seconds, at
    /// least one, and the connection is closed up to two seconds later. If the server announces a shorter
    /// time in `Keep-Alive`, the connection is closed one second before that.
    public var idleConnectionTimeout: TimeInterval? = 30
    /// Seconds after which a connection serves no new requests; nil for no limit.
    ///
    /// Default 600, so that changes of addresses and certificates are noticed. It is rounded up to whole
    /// seconds, at least one.
    public var maximumConnectionLifetime: TimeInterval? = 600
    /// The version of HTTP; default HTTP/2 where TLS negotiates it and libcurl is 8.14 or newer,
    /// otherwise HTTP/1.1.
    ///
    /// Tasks that ask for HTTP/2 with an older libcurl fail.
    public var httpVersion = Exchange.HTTPVersion.automatic
    /// Proxies, Unix sockets, address overrides and the address to connect from; default directly,
    /// whatever the environment says.
    public var route = Exchange.Route()
    /// Which hosts and addresses requests may go to, redirects included; default nil, any.
    ///
    /// Set `.publicInternetOnly` where others choose the URLs.
    /// ``BluebonnetError/addressDenial`` tells what was denied.
    public var addressGuard: AddressGuard?
    /// Hosts whose responses may end without TLS's `close_notify`; default none.
    ///
    /// It applies to responses without a length or chunks, which end with the connection (RFC 9112 section
    /// 9.8). Such a response fails without `close_notify`, because anyone on the path can end a connection.
    /// From these hosts it is accepted as complete. Patterns are matched against the URL's host. An invalid
    /// pattern matches no host.
    public var hostsWithoutCloseNotify: Set<HostPattern> = []
    /// What ``SessionManager/clientIdentity`` begins with; default none.
    public var clientIdentity: ClientIdentity?
    /// Bytes of a body that is collected in memory, after decoding.
    ///
    /// Default 1 GiB. ``BluebonnetError/limit`` names the limit that a response went beyond, whichever
    /// it was.
    public var maximumResponseBodySize = 1024 * 1024 * 1024
    /// Bytes of a body that goes to a file or a stream, after decoding; nil for any number.
    ///
    /// Default nil. Of a download that goes on where another broke, what the file has is not counted.
    public var maximumStreamedBodySize: Int?
    /// Bytes of any body as they are sent, before decoding; nil for any number.
    ///
    /// Default nil.
    public var maximumEncodedBodySize: Int?
    /// Bytes that a content coding may make of each that was sent; nil for any number.
    ///
    /// Default 1,100, which is more than gzip and deflate can reach in one coding, so that only what
    /// was made to be a bomb is refused. It counts once a body has more than 1 MiB after decoding.
    public var maximumExpansionRatio: Int? = 1100
    /// Bytes of a body that wait for a reader, for the disk, or for the callback queue, before the sender
    /// is stopped.
    ///
    /// Default 1 MiB; a piece of 64 KiB, or 256 where it is decoded, and libcurl's own buffer of 64 KiB
    /// may come on top. What comes over HTTP/1.1 while the request's body is still being sent may take
    /// some 16 MiB more: then the sending waits too, until the response is read.
    public var streamBufferSize = 1024 * 1024
    /// Content codings of a body that is decoded, one upon the other.
    ///
    /// Default 4. Servers use one.
    public var maximumContentCodings = 4
    /// Bytes of a response's head, interim responses included.
    ///
    /// Default 256 KiB. libcurl has bounds of its own, about 100 KB for a line and 300 KB in all.
    public var maximumResponseHeadSize = 256 * 1024
    /// Header fields of a response.
    ///
    /// Default 1,000.
    public var maximumResponseHeaderCount = 1000
    /// Bytes of a response's trailer.
    ///
    /// Default 64 KiB. libcurl itself takes no line of more than 4 KiB.
    public var maximumTrailerSize = 64 * 1024
    /// Fields of a response's trailer.
    ///
    /// Default 100. A trailer holds a checksum or two, or a status.
    public var maximumTrailerCount = 100
    /// Interim responses (1xx) before the final one.
    ///
    /// Default 16. Servers send one or two, and some one each few seconds while they work.
    public var maximumInterimResponses = 16
    /// Redirects that one task follows.
    ///
    /// Default 20.
    public var maximumRedirects = 20
    /// Whether a task follows a redirect back to a request that it has sent already, unchanged.
    ///
    /// Default false: such a task fails at the first repetition. With true it goes on up to
    /// ``maximumRedirects``, for servers that redirect until something is ready.
    public var followsRepeatedRedirects = false
    /// Whether redirects from https to http are followed.
    ///
    /// Default false.
    public var followsRedirectsToPlainHTTP = false
    /// Whether `Authorization`, `Cookie`, `Referer` and any other field that is named like a secret,
    /// as the request or ``additionalHeaders`` set them, follow a redirect to another scheme, host or
    /// port.
    ///
    /// Default false. A name is like a secret when there is a word in it such as "token", "secret",
    /// "session" or "key", as in `X-Api-Key`. They do not come back when a later redirect leads
    /// back. Cookies of a jar and
    /// credentials from challenges never follow.
    public var keepsCredentialsAcrossOrigins = false
    /// Names of further header fields that never follow a redirect to another scheme, host or port.
    ///
    /// Default none. Case does not matter. What a redirect hook sets in them is sent.
    public var headersBoundToOrigin: Set<String> = []
    /// Whether content codings are removed from bodies.
    ///
    /// Default true.
    public var decodesContent = true
    /// Whether a response whose body has an unknown content coding fails.
    ///
    /// Default false: the body then comes as it was sent, with all of its codings, and
    /// ``ResponseHead/contentCodings`` names those that are unknown. With true the task fails with
    /// `.transport` and the code `cannotDecodeContentData` where the head is acceptable otherwise. Bodies
    /// of redirects and challenges that are followed do not matter.
    public var refusesUnknownContentCodings = false
    /// What deadlines go by; default the machine's clock.
    ///
    /// The timeouts of single exchanges are the transport's, and ``CurlTransport`` keeps them in real
    /// time.
    public var clock: any SessionClock = .system
    /// What becomes of cookies; default a jar of the manager's own, in memory.
    public var cookies = CookieHandling.ephemeral
    /// Header fields for every request that does not have them already.
    ///
    /// Default: `User-Agent`, and `Accept-Encoding` with gzip, br and zstd, if ``decodesContent``.
    /// `Authorization`, `Cookie`, `Host` and the like go to whatever origin a request names, but
    /// follow no redirect to another; see ``keepsCredentialsAcrossOrigins``.
    public var additionalHeaders: HTTPHeaders = .sessionDefault
    /// Whether notifications are posted before one of their names was read.
    ///
    /// Default false: notifications are posted, by every manager of the process, from the moment that
    /// a property such as ``SessionTask/didCompleteNotification`` is first read. An observer of one
    /// has to read it. Set this to true for an observer of every name, or of a name that is written as
    /// a string, which otherwise hears nothing until then.
    public var postsNotifications = false

    /// The configuration with every default.
    public static var `default`: SessionConfiguration { SessionConfiguration() }

    /// Makes a configuration with every default.
    public init() {}
}

/// What a manager does with cookies.
public enum CookieHandling: Sendable {
    /// They are kept in memory, in a jar of the manager's own.
    case ephemeral
    /// They are kept in a jar that others may use too.
    case shared(CookieStorage)
    /// None is kept or sent, unless a request has a `Cookie` field of its own.
    case off
}

extension SessionConfiguration {
    /// The additional fields; codings are asked for by default only if they are decoded.
    func sentHeaders(decodesContent: Bool) -> HTTPHeaders {
        var headers = additionalHeaders
        let name = "Accept-Encoding"
        if !decodesContent, headers[name] == HTTPHeaders.sessionDefault[name] {
            headers[name] = nil
        }
        return headers
    }
}

extension HTTPHeaders {
    /// `User-Agent` and `Accept-Encoding` as every task sends them unless told otherwise.
    public static let sessionDefault: HTTPHeaders = [
        // Nothing of the system: its release tells an attacker which holes it may have.
        "User-Agent": "Bluebonnet/\(BluebonnetVersion.current)",
        "Accept-Encoding": ContentDecoder.acceptEncoding,
    ]
}

/// The library's version.
public enum BluebonnetVersion {
    /// Major, minor and patch.
    public static let current = "0.1.0"
}
