public import Bluebonnet

/// A deliberate fault of an exchange.
///
/// A ``FaultyTransport`` injects it. Times are those of the session's clock.
public struct Fault: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        /// The exchange receives a response, and the transport below is not used.
        case answer(@Sendable (Exchange) -> StubResponse)
        /// The response of the transport below breaks off after a number of bytes of its body, or
        /// before its head.
        case cut(after: Int?, Exchange.Failure)
        /// The response of the transport below is delayed.
        case slow(Pace)
    }

    let kind: Kind
    /// A short description, such as `reset after 1000 bytes`.
    public let description: String

    private init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    private static func answer(_ failure: Exchange.Failure, _ description: String) -> Self {
        Self(.answer { _ in .failure(failure) }, description)
    }

    private static func failure(
        _ code: URLError.Code, _ message: String, malformed: Exchange.Failure.MalformedPart? = nil
    ) -> Exchange.Failure {
        var failure = Exchange.Failure(code, message: "\(message) (an injected fault)")
        failure.malformedPart = malformed
        return failure
    }

    // MARK: Before anything is sent

    /// The host refuses the connection.
    public static let refuse = answer(
        failure(.cannotConnectToHost, "the host refused the connection"), "refuse")

    /// The host's name cannot be resolved.
    public static let unknownHost = answer(
        failure(.cannotFindHost, "the host was not found"), "unknown host")

    /// The TLS handshake fails.
    public static let tlsFailure = answer(
        failure(.secureConnectionFailed, "the TLS handshake failed"), "TLS failure")

    /// The host's certificate does not pass a check.
    public static func certificate(_ check: Exchange.Failure.CertificateFault.Check) -> Self {
        Self(
            .answer { exchange in
                let host = URL(string: exchange.url)?.host ?? ""
                return .failure(.init(certificateFault: .init(check: check, host: host)))
            }, "certificate: \(check.rawValue)")
    }

    // MARK: Instead of the response

    /// The connection is reset after the request has arrived and before the head of the response.
    public static let resetBeforeHead = Self(
        .cut(after: nil, failure(.networkConnectionLost, "the connection was reset")),
        "reset before the head")

    /// The head of the response is malformed.
    public static let garbage = Self(
        .cut(
            after: nil,
            failure(
                .badServerResponse, "the response's status line is garbage", malformed: .statusLine)
        ), "garbage in the head")

    /// The server answers with a status code and does not process the request.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, such as 429 or 503.
    ///   - retryAfter: The whole seconds of `Retry-After`. If nil, the default, there is no such
    ///     field.
    /// - Returns: The fault.
    public static func status(_ statusCode: Int, retryAfter: Int? = nil) -> Self {
        let plain = StubResponse.status(statusCode)
        let response = retryAfter.map { plain.header("Retry-After", "\($0)") } ?? plain
        return Self(.answer { _ in response }, "status \(statusCode)")
    }

    // MARK: In the response

    /// The connection is reset after `count` bytes of the body.
    ///
    /// Bytes are counted as the session receives them. A body of at most `count` bytes is not
    /// affected.
    public static func reset(after count: Int) -> Self {
        Self(
            .cut(after: max(0, count), failure(.networkConnectionLost, "the connection was reset")),
            "reset after \(count) bytes")
    }

    /// The connection ends after `count` bytes of the body, although more were declared.
    ///
    /// A body of at most `count` bytes is not affected.
    public static func truncate(after count: Int) -> Self {
        let lost = failure(
            .networkConnectionLost, "the connection ended before the response's body")
        return Self(.cut(after: max(0, count), lost), "cut off after \(count) bytes")
    }

    /// A chunk is malformed after `count` bytes of the body.
    public static func brokenChunk(after count: Int) -> Self {
        let broken = failure(
            .badServerResponse, "a chunk of the response's body is malformed", malformed: .chunk)
        return Self(.cut(after: max(0, count), broken), "broken chunk after \(count) bytes")
    }

    // MARK: Time

    /// The response begins after a delay.
    public static func stall(for time: Duration) -> Self {
        Self(.slow(Pace(headDelay: time)), "stall for \(time)")
    }

    /// The response pauses for a time after `count` bytes of its body.
    public static func stall(after count: Int, for time: Duration) -> Self {
        Self(
            .slow(Pace(pause: (max(0, count), time))), "stall after \(count) bytes for \(time)")
    }

    /// The body arrives in small pieces, each after a delay.
    public static func trickle(_ size: Int, every interval: Duration) -> Self {
        Self(
            .slow(Pace(pieceSize: max(1, size), interval: interval)),
            "trickle of \(size) bytes every \(interval)")
    }
}

/// The delays of a response.
struct Pace: Sendable {
    var headDelay = Duration.zero
    /// The number of bytes after which the body pauses, and the length of the pause.
    var pause: (after: Int, time: Duration)?
    var pieceSize: Int?
    var interval = Duration.zero
}
