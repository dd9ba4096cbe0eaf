public import Bluebonnet

/// What a stub answers with, and when.
///
/// ```swift
/// .json(["id": 1])
/// .status(503).header("Retry-After", "2")
/// .data(file).inPieces(of: 1000, every: .seconds(1)).cut(after: 3000)
/// .failure(.cannotFindHost)
/// ```
///
/// The body's `Content-Length` is added. Content codings that a field declares are removed as a real transport does:
/// give the body as it is on the wire.
public struct StubResponse: Sendable {
    /// How the body ends.
    enum End: Sendable {
        case whole
        case failure(Exchange.Failure)
        /// It goes on for ever.
        case never
    }

    /// Nil where no response comes, but the end alone.
    var statusCode: Int?
    var fields: [Exchange.Field] = []
    var body = Data()
    var trailers: [Exchange.Field]?
    var delay = Duration.zero
    var pieceSize: Int?
    var pieceInterval = Duration.zero
    /// How many bytes of the body come before its end.
    var sentCount: Int?
    var end = End.whole

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - statusCode: The status code. The default is 200.
    ///   - headers: The header fields, in order. The default is none.
    ///   - body: The body as it is on the wire. The default is none.
    public init(_ statusCode: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.statusCode = statusCode
        fields = headers.fields
        self.body = body
    }

    private init(end: End) {
        self.end = end
    }

    // MARK: Kinds

    /// A status without a body.
    public static func status(_ statusCode: Int) -> Self { Self(statusCode) }

    /// Bytes of a media type.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> Self {
        Self(status, headers: ["Content-Type": type], body: data)
    }

    /// Text in UTF-8, of the media type `text/plain` unless there is another.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Self {
        .data(Data(text.utf8), type: type, status: status)
    }

    /// JSON of literals, such as `.json(["id": 1, "name": "a"])`.
    public static func json(_ parameters: Parameters, status: Int = 200) -> Self {
        encoded(parameters, status: status)
    }

    /// JSON of a value, with keys in order.
    ///
    /// A value that cannot be encoded makes the exchange fail with what `JSONEncoder` says.
    @_disfavoredOverload
    public static func json(_ value: some Encodable, status: Int = 200) -> Self {
        encoded(value, status: status)
    }

    private static func encoded(_ value: some Encodable, status: Int) -> Self {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .data(try encoder.encode(value), type: "application/json", status: status)
        } catch {
            return .failure(.cannotEncode(error))
        }
    }

    /// A redirect.
    public static func redirect(to location: String, status: Int = 302) -> Self {
        Self(status, headers: ["Location": location])
    }

    /// A 401 that asks for a credential, as with `.challenge("Basic realm=\"a\"")`.
    public static func challenge(_ challenge: String) -> Self {
        Self(401, headers: ["WWW-Authenticate": challenge])
    }

    /// No response, but a failure of the transport.
    ///
    /// The request's body is read before, since routes see it.
    ///
    /// A refused certificate is a failure as well: `.failure(.init(certificateFault: …))`.
    public static func failure(_ failure: Exchange.Failure) -> Self { Self(end: .failure(failure)) }

    /// No response, but a failure with a code, such as `.cannotFindHost`.
    public static func failure(_ code: URLError.Code) -> Self {
        .failure(Exchange.Failure(code, message: "the stub failed with the code \(code.rawValue)"))
    }

    /// No response, but a timeout of the transport, at once.
    ///
    /// For one that takes its time, let the exchange run into its own timeout with ``silence``.
    public static func timeout(_ timeout: Exchange.Failure.Timeout) -> Self {
        .failure(
            Exchange.Failure(
                .timedOut, message: "the stub timed out (\(timeout.rawValue))", timeout: timeout))
    }

    /// No response at all: the exchange waits for a timeout or a cancel.
    public static var silence: Self { Self(end: .never) }

    // MARK: Changes

    /// The same with a field in place of those of its name.
    ///
    /// Fields that come several times in a response, such as `Set-Cookie`, are added to those that are there.
    public func header(_ name: String, _ value: String) -> Self {
        with { response in
            let lowercased = name.lowercased()
            if !Self.repeatedNames.contains(lowercased) {
                response.fields.removeAll { $0.name.lowercased() == lowercased }
            }
            response.fields.append(Exchange.Field(name: name, value: value))
        }
    }

    private static let repeatedNames: Set<String> = [
        "cache-control", "link", "proxy-authenticate", "set-cookie", "vary", "via", "warning",
        "www-authenticate",
    ]

    /// The same with trailer fields behind the body.
    public func trailers(_ trailers: HTTPHeaders) -> Self { with { $0.trailers = trailers.fields } }

    /// The same after a delay on the session's clock.
    ///
    /// Timeouts run meanwhile, on the same clock.
    public func after(_ delay: Duration) -> Self { with { $0.delay = delay } }

    /// The same with its body in pieces, on the session's clock.
    ///
    /// - Parameters:
    ///   - size: Bytes in a piece; at least one.
    ///   - interval: The time before each piece. The default is none.
    /// - Returns: The changed response.
    public func inPieces(of size: Int, every interval: Duration = .zero) -> Self {
        with { ($0.pieceSize, $0.pieceInterval) = (max(1, size), interval) }
    }

    /// The same with a body that breaks off after so many bytes, as when the connection is lost.
    ///
    /// The head declares the whole length. A response without a body, as to HEAD, ends with its head.
    public func cut(
        after count: Int,
        failure: Exchange.Failure = Exchange.Failure(
            .networkConnectionLost, message: "the stub cut the response's body")
    ) -> Self {
        with { ($0.sentCount, $0.end) = (max(0, count), .failure(failure)) }
    }

    /// The same with a body that does not go on after so many bytes, and does not end.
    public func stalled(after count: Int) -> Self {
        with { ($0.sentCount, $0.end) = (max(0, count), .never) }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Exchange.Failure {
    fileprivate static func cannotEncode(_ error: any Error) -> Self {
        Self(.cannotParseResponse, message: "the stub's response cannot be encoded: \(error)")
    }
}
