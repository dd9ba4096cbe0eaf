public import Bluebonnet

/// Something that goes wrong with an exchange on purpose.
///
/// A ``FaultyTransport`` injects it. Times are those of the session's clock.
public struct Fault: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        /// The exchange gets this, and the transport below never hears of it.
        case answer(@Sendable (Exchange) -> StubResponse)
        /// The response below breaks off after so many bytes of its body, or before its head.
        case cut(after: Int?, Exchange.Failure)
        /// The response below is held up.
        case slow(Pace)
    }

    let kind: Kind
    /// What it is, as in `reset after 1000 bytes`.
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

    /// The host's name cannot be found.
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

    /// The connection is reset before the response's head; the request has arrived.
    public static let resetBeforeHead = Self(
        .cut(after: nil, failure(.networkConnectionLost, "the connection was reset")),
        "reset before the head")

    /// The head is no head.
    public static let garbage = Self(
        .cut(
            after: nil,
            failure(
                .badServerResponse, "the response's status line is garbage", malformed: .statusLine)
        ), "garbage in the head")

    /// The server answers with a status, and `Retry-After` if that is given; it has not done what was asked for.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, such as 429 or 503.
    ///   - retryAfter: Whole seconds for `Retry-After`; nil, the default, for no such field.
    /// - Returns: The fault.
    public static func status(_ statusCode: Int, retryAfter: Int? = nil) -> Self {
        let plain = StubResponse.status(statusCode)
        let response = retryAfter.map { plain.header("Retry-After", "\($0)") } ?? plain
        return Self(.answer { _ in response }, "status \(statusCode)")
    }

    // MARK: In the response

    /// The connection is reset after so many bytes of the body, as the session gets it; a body that has no more is not
    /// touched.
    public static func reset(after count: Int) -> Self {
        Self(
            .cut(after: max(0, count), failure(.networkConnectionLost, "the connection was reset")),
            "reset after \(count) bytes")
    }

    /// The connection ends after so many bytes of the body, though more were declared; a body that has no more is not
    /// touched.
    public static func truncate(after count: Int) -> Self {
        let lost = failure(
            .networkConnectionLost, "the connection ended before the response's body")
        return Self(.cut(after: max(0, count), lost), "cut off after \(count) bytes")
    }

    /// A chunk is broken after so many bytes of the body.
    public static func brokenChunk(after count: Int) -> Self {
        let broken = failure(
            .badServerResponse, "a chunk of the response's body is malformed", malformed: .chunk)
        return Self(.cut(after: max(0, count), broken), "broken chunk after \(count) bytes")
    }

    // MARK: Time

    /// Nothing of the response comes for a time.
    public static func stall(for time: Duration) -> Self {
        Self(.slow(Pace(headDelay: time)), "stall for \(time)")
    }

    /// Nothing of the response comes for a time, after so many bytes of its body.
    public static func stall(after count: Int, for time: Duration) -> Self {
        Self(
            .slow(Pace(pause: (max(0, count), time))), "stall after \(count) bytes for \(time)")
    }

    /// The body comes in small pieces, each after a time.
    public static func trickle(_ size: Int, every interval: Duration) -> Self {
        Self(
            .slow(Pace(pieceSize: max(1, size), interval: interval)),
            "trickle of \(size) bytes every \(interval)")
    }
}

/// How a response is held up.
struct Pace: Sendable {
    var headDelay = Duration.zero
    /// After how many bytes the body pauses, and for how long.
    var pause: (after: Int, time: Duration)?
    var pieceSize: Int?
    var interval = Duration.zero
}
