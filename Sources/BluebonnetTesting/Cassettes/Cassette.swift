public import Bluebonnet

/// A transport that answers the requests of a test from a recording of real servers, or records
/// them.
///
/// Everything above the transport is real: redirects, cookies, challenges, retries and deadlines.
///
/// ```swift
/// let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
///     .appendingPathComponent("Cassettes/users.json")
/// let cassette = try Cassette(at: file)
/// let api = HTTPSessionManager(baseURL: URL(string: "https://example.org"), transport: cassette)
/// …
/// try cassette.verify()
/// ```
///
/// Run the test with `BLUEBONNET_CASSETTES=record-missing` in the environment to record the
/// requests that the cassette lacks. Use `record-anew` to record all requests again. Without the
/// variable, the cassette is replayed. ``verify()`` saves the recordings; without it, they are
/// lost.
///
/// ## The file
///
/// A cassette is a JSON file with an interaction for each exchange, in the order in which the
/// exchanges began. Redirects, challenges and further attempts are separate exchanges. Commit the
/// file with the test. Failures of the transport are recorded too.
///
/// - A body with a JSON `Content-Type` is JSON in the file. Its values, every digit of its numbers
///   and the order of its keys are kept. Its white space is not, so the bytes of a replayed body
///   can differ.
/// - Other text is a string, or an array of lines. Anything else is Base64.
/// - Bodies are decoded. `removedCodings` names the content codings that the transport removed, and
///   the header fields are those of the wire. A replay reports the same to the session.
/// - `Content-Length` is recorded as received. In a replay, a whole body without removed codings
///   gets its own length.
/// - Durations, addresses and other metrics are not recorded.
///
/// ## Secrets
///
/// Each secret that a `Redactor` finds is replaced with a placeholder such as `SECRET_1`. Equal
/// secrets of a recording have equal placeholders. Replayed responses contain the placeholders: a
/// cookie keeps its name and its attributes, and its value is the placeholder. These are secrets:
///
/// - Values of header fields with a name that `SecretFieldNames` recognizes. The scheme of
///   `Authorization` is kept, and so is everything in `Cookie` and `Set-Cookie` except the values
///   of cookies.
/// - The user and password of a URL.
/// - Values with such a name in queries, fragments and forms.
/// - Strings with such a name in JSON, as in `"access_token": "…"`, and all strings in an object or
///   array with such a name. The names `key` and `token_type` are not secret in JSON, and numbers
///   never are. Truncated JSON, and JSON within other text, is searched too.
/// - All other occurrences of these values and of the password of a Basic login, if they are
///   separate words of at least 8 bytes. Values of cookies are searched for only if they contain a
///   digit. Strings in an object or array with a secret name are not searched for.
/// - What the redactor's `furtherSecrets` returns. It is called with each URL, each header field as
///   `Name: value`, each text body and each string of a JSON body, more than once. These secrets
///   are hidden in each URL, in the value of each field, and in each body except for the keys of
///   JSON.
///
/// Find secrets in XML, in multipart forms and in compressed request bodies with `furtherSecrets`,
/// and review a new cassette before you commit it.
///
/// A cassette can be used from any thread at any time. Bodies are kept in memory.
public final class Cassette: Transport {
    /// The mode in use, which is never ``CassetteMode/fromEnvironment``.
    public let mode: CassetteMode

    private let file: URL
    private let tape: CassetteTape
    private let replay: ReplayTransport
    private let recording: RecordingTransport

    /// Creates a transport for one test.
    ///
    /// - Parameters:
    ///   - file: The cassette's file, one for each test.
    ///   - mode: Whether to replay or to record. By default, the environment variable
    ///     `BLUEBONNET_CASSETTES` decides.
    ///   - transport: The transport to record. The default is `CurlTransport.shared`.
    ///   - matching: The rules for finding the interaction of a request. The default is
    ///     ``CassetteMatching/strict``.
    ///   - redaction: The rules for finding secrets. The default is `Redactor()`.
    ///   - keepsPieces: Whether the pieces of response bodies are recorded with the delays before
    ///     them. The default is false: replayed bodies arrive at once.
    /// - Throws: A ``CassetteError`` for an unknown mode in the environment, for a missing cassette
    ///   in a replay, and for a file that is not a cassette.
    public init(
        at file: URL, mode: CassetteMode = .fromEnvironment,
        recordingFrom transport: any Transport = CurlTransport.shared,
        matching: CassetteMatching = .strict, redaction: Redactor = Redactor(),
        keepsPieces: Bool = false
    ) throws(CassetteError) {
        self.file = file
        self.mode = try mode.resolved(for: file)
        recording = RecordingTransport(
            around: transport, redaction: redaction, keepsPieces: keepsPieces)
        switch self.mode {
        case .recordAnew:
            replay = ReplayTransport(CassetteTape([], of: file, matching, redaction), file)
        case .recordMissing:
            let interactions = try CassetteFile(url: file).read() ?? []
            replay = ReplayTransport(
                CassetteTape(interactions, of: file, matching, redaction), file)
        case .replay, .fromEnvironment:
            replay = try ReplayTransport(
                cassetteAt: file, matching: matching, redaction: redaction)
        }
        tape = replay.tape
    }

    /// Creates the transfer of an exchange.
    public func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        switch mode {
        case .recordAnew: recording.transfer(for: exchange, reportingTo: sink)
        case .replay, .fromEnvironment: replay.transfer(for: exchange, reportingTo: sink)
        case .recordMissing:
            CassetteTransfer(exchange, reportingTo: sink) { [tape, recording] request in
                if case .found(let interaction) = tape.claim(request, skips: true) {
                    return .interaction(interaction)
                }
                let position = tape.position
                return .transfer {
                    recording.transfer(for: $0, reportingTo: $1, position: position)
                }
            }
        }
    }

    // MARK: The end of a test

    /// The problems so far: requests without an interaction, unused interactions, and recorded
    /// exchanges that have not ended.
    public var problems: [String] {
        tape.problems
            + recording.unfinished.map { request in
                "\(request.method) \(URL(string: request.url)?.withoutSecrets ?? "a URL") had not ended, and is "
                    + "not on the cassette"
            }
    }

    /// Saves new recordings and checks that requests and interactions match; call it at the end of
    /// a test.
    ///
    /// The file is replaced atomically, and its folder is created. A test that throws before this
    /// call saves nothing, and a warning is written to standard error.
    ///
    /// - Throws: A ``CassetteError`` with the ``problems``, if there are any, or if the file cannot
    ///   be written.
    public func verify() throws(CassetteError) {
        let problems = problems
        switch mode {
        case .replay, .fromEnvironment: break
        case .recordAnew: try recording.save(to: file)
        case .recordMissing:
            if recording.hasUnsaved { try recording.save(tape.interactions, to: file) }
        }
        if !problems.isEmpty { throw CassetteError(file, problems) }
    }
}
