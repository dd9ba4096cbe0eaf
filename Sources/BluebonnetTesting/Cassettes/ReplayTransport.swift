public import Bluebonnet

/// A transport that answers from a cassette and sends nothing.
///
/// It is the replaying half of a ``Cassette``, which tests usually use.
///
/// A recorded failure is replayed with its code and message. An exchange that was canceled during
/// the recording does not end by itself in the replay. A body arrives at once, or in the recorded
/// pieces with their delays on the session's clock. The head and idle timeouts run meanwhile. A
/// request without an interaction fails with the code `resourceUnavailable`. The transport can be
/// used from any thread at any time.
public final class ReplayTransport: Transport {
    let tape: CassetteTape
    private let file: URL

    /// Creates a transport from a cassette.
    ///
    /// - Parameters:
    ///   - file: The cassette's file.
    ///   - matching: The rules for finding the interaction of a request. The default is
    ///     ``CassetteMatching/strict``.
    ///   - redaction: The rules for hiding secrets in errors about requests. The default is
    ///     `Redactor()`.
    /// - Throws: A ``CassetteError`` if the file is missing or is not a cassette.
    public convenience init(
        cassetteAt file: URL, matching: CassetteMatching = .strict,
        redaction: Redactor = Redactor()
    ) throws(CassetteError) {
        guard let interactions = try CassetteFile(url: file).read() else {
            throw CassetteError(
                file,
                [
                    "the cassette does not exist; run the test once with \(CassetteMode.variable)=record-missing to "
                        + "record it"
                ])
        }
        self.init(CassetteTape(interactions, of: file, matching, redaction), file)
    }

    init(_ tape: CassetteTape, _ file: URL) {
        self.tape = tape
        self.file = file
    }

    /// Creates the transfer of an exchange.
    public func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        CassetteTransfer(exchange, reportingTo: sink) { [tape] request in
            switch tape.claim(request, skips: false) {
            case .found(let interaction): return .interaction(interaction)
            case .missing(let message):
                tape.note(message)
                return .failure(Exchange.Failure(.resourceUnavailable, message: message))
            }
        }
    }

    /// The problems so far: requests without an interaction, and unused interactions.
    public var problems: [String] { tape.problems }

    /// Checks that requests and interactions match; call it at the end of a test.
    ///
    /// - Throws: A ``CassetteError`` with the ``problems``, if there are any.
    public func verify() throws(CassetteError) {
        let problems = problems
        if !problems.isEmpty { throw CassetteError(file, problems) }
    }
}
