public import Bluebonnet

/// The response of a stub, with its delays.
///
/// ```swift
/// .json(["id": 1])
/// .status(503).header("Retry-After", "2")
/// .data(file).inPieces(of: 1000, every: .seconds(1)).cut(after: 3000)
/// .failure(.cannotFindHost)
/// ```
///
/// The `Content-Length` of the body is added. Content codings that a field declares are removed as
/// by a real transport, so pass the body as it is on the wire.
public struct StubResponse: Sendable {
    /// The end of a body.
    enum End: Sendable {
        case whole
        case failure(Exchange.Failure)
        /// The body never ends.
        case never
    }

    /// The status code; nil if there is no response, only an end.
    var statusCode: Int?
    var fields: [Exchange.Field] = []
    var body = Data()
    var trailers: [Exchange.Field]?
    var delay = Duration.zero
    var pieceSize: Int?
    var pieceInterval = Duration.zero
    /// The number of bytes of the body before its end.
    var sentCount: Int?
    var end = End.whole

    /// Creates a response.
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

    /// Returns a response with a status code and no body.
    ///
    /// - Parameter statusCode: The status code.
    /// - Returns: The response.
    public static func status(_ statusCode: Int) -> Self { Self(statusCode) }

    /// Returns a response with bytes of a media type.
    ///
    /// - Parameters:
    ///   - data: The body as it is on the wire.
    ///   - type: The value of `Content-Type`. The default is `application/octet-stream`.
    ///   - status: The status code. The default is 200.
    /// - Returns: The response.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> Self {
        Self(status, headers: ["Content-Type": type], body: data)
    }

    /// Returns a response with UTF-8 text, by default of the media type `text/plain`.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: The value of `Content-Type`. The default is `text/plain; charset=utf-8`.
    ///   - status: The status code. The default is 200.
    /// - Returns: The response.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Self {
        .data(Data(text.utf8), type: type, status: status)
    }

    /// Returns a response with a JSON object from literals, such as `.json(["id": 1, "name": "a"])`.
    ///
    /// - Parameters:
    ///   - parameters: The object, as a literal.
    ///   - status: The status code. The default is 200.
    /// - Returns: The response, with the content type `application/json`.
    public static func json(_ parameters: Parameters, status: Int = 200) -> Self {
        encoded(parameters, status: status)
    }

    /// Returns a response with a JSON array of objects from literals, such as
    /// `.json([["id": 1, "name": "a"]])`.
    ///
    /// - Parameters:
    ///   - list: The objects, as a literal.
    ///   - status: The status code. The default is 200.
    /// - Returns: The response, with the content type `application/json`.
    public static func json(_ list: [Parameters], status: Int = 200) -> Self {
        encoded(list, status: status)
    }

    /// Returns a response with JSON from a value.
    ///
    /// If the value cannot be encoded, the exchange fails with the error of the encoder.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status code.
    ///   - encoder: Writes the value as the service does. If nil, keys are sorted, and dates are
    ///     seconds since 2001.
    /// - Returns: The response.
    @_disfavoredOverload
    public static func json(
        _ value: some Encodable, status: Int = 200, encoder: JSONEncoder? = nil
    ) -> Self {
        encoded(value, status: status, encoder)
    }

    private static var defaultEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private static func encoded(
        _ value: some Encodable, status: Int, _ encoder: JSONEncoder? = nil
    ) -> Self {
        let encoder = encoder ?? defaultEncoder
        do {
            return .data(try encoder.encode(value), type: "application/json", status: status)
        } catch {
            return .failure(.cannotEncode(error))
        }
    }

    /// Returns a redirect.
    ///
    /// - Parameters:
    ///   - location: The target, absolute or relative to the request's URL.
    ///   - status: The status code. The default is 302.
    /// - Returns: The response.
    public static func redirect(to location: String, status: Int = 302) -> Self {
        Self(status, headers: ["Location": location])
    }

    /// Returns a 401 response with a challenge, as in `.challenge("Basic realm=\"a\"")`.
    ///
    /// - Parameter challenge: The value of `WWW-Authenticate`.
    /// - Returns: The response.
    public static func challenge(_ challenge: String) -> Self {
        Self(401, headers: ["WWW-Authenticate": challenge])
    }

    /// Returns a failure of the transport instead of a response.
    ///
    /// The body of the request is read first, because routes receive it.
    ///
    /// A refused certificate is a failure too: `.failure(.init(certificateFault: …))`.
    ///
    /// - Parameter failure: The failure, which the task's error contains.
    /// - Returns: The failure as a response.
    public static func failure(_ failure: Exchange.Failure) -> Self { Self(end: .failure(failure)) }

    /// Returns a transport failure with a code, such as `.cannotFindHost`, instead of a response.
    ///
    /// - Parameter code: The code of the error's ``/Bluebonnet/BluebonnetError/urlError``.
    /// - Returns: The failure as a response.
    public static func failure(_ code: URLError.Code) -> Self {
        .failure(Exchange.Failure(code, message: "the stub failed with the code \(code.rawValue)"))
    }

    /// Returns an immediate timeout of the transport instead of a response.
    ///
    /// To let the exchange reach its own timeout, use ``silence``.
    ///
    /// - Parameter timeout: The limit that the task's error names, such as `.idle`.
    /// - Returns: The failure as a response.
    public static func timeout(_ timeout: Exchange.Failure.Timeout) -> Self {
        .failure(
            Exchange.Failure(
                .timedOut, message: "the stub timed out (\(timeout.rawValue))", timeout: timeout))
    }

    /// No response at all: the exchange waits for a timeout or a cancellation.
    public static var silence: Self { Self(end: .never) }

    // MARK: Changes

    /// Returns a copy with a header field, which replaces those of the same name.
    ///
    /// A field that can occur several times in a response, such as `Set-Cookie`, is added to the
    /// existing ones.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value of the field.
    /// - Returns: The changed response.
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

    /// Returns a copy with trailer fields after the body.
    ///
    /// - Parameter trailers: The fields, in order.
    /// - Returns: The changed response.
    public func trailers(_ trailers: HTTPHeaders) -> Self { with { $0.trailers = trailers.fields } }

    /// Returns a copy that is delayed on the session's clock.
    ///
    /// Timeouts run meanwhile, on the same clock.
    ///
    /// - Parameter delay: The time before the head arrives.
    /// - Returns: The changed response.
    public func after(_ delay: Duration) -> Self { with { $0.delay = delay } }

    /// Returns a copy whose body arrives in pieces, on the session's clock.
    ///
    /// - Parameters:
    ///   - size: The number of bytes in a piece, at least 1.
    ///   - interval: The delay before each piece. The default is zero.
    /// - Returns: The changed response.
    public func inPieces(of size: Int, every interval: Duration = .zero) -> Self {
        with { ($0.pieceSize, $0.pieceInterval) = (max(1, size), interval) }
    }

    /// Returns a copy whose body breaks off after a number of bytes, as if the connection were
    /// lost.
    ///
    /// The head declares the whole length. A response without a body, such as one to HEAD, ends
    /// with its head.
    ///
    /// - Parameters:
    ///   - count: The number of bytes of the body that arrive. If negative, it is 0.
    ///   - failure: The failure that ends the body. The default is a lost connection.
    /// - Returns: The changed response.
    public func cut(
        after count: Int,
        failure: Exchange.Failure = Exchange.Failure(
            .networkConnectionLost, message: "the stub cut the response's body")
    ) -> Self {
        with { ($0.sentCount, $0.end) = (max(0, count), .failure(failure)) }
    }

    /// Returns a copy whose body stops after a number of bytes, and never ends.
    ///
    /// - Parameter count: The number of bytes of the body that arrive. If negative, it is 0.
    /// - Returns: The changed response.
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
