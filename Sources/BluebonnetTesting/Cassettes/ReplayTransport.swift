public import Bluebonnet

/// A transport that answers from a cassette, and sends nothing.
///
/// It is the replaying half of a ``Cassette``, which is the usual way for a test.
///
/// A recorded failure is replayed with its code and message. An exchange that was cancelled during the recording
/// never ends by itself in the replay. A body comes at once, or in the recorded pieces at their times on the session's
/// clock. The timeouts for the head and for idleness run meanwhile. A request without an interaction fails with the
/// code `resourceUnavailable`. Any thread may use it, at any time.
public final class ReplayTransport: Transport {
    let tape: CassetteTape
    private let file: URL

    /// Reads a cassette.
    ///
    /// - Parameters:
    ///   - file: The cassette's file.
    ///   - matching: The rules for finding the interaction of a request. The default is
    ///     ``CassetteMatching/strict``.
    ///   - redaction: The rules by which errors about requests hide secrets. The default is
    ///     ``CassetteRedaction/standard``.
    /// - Throws: A ``CassetteError`` if the file is missing or is not a cassette.
    public convenience init(
        cassetteAt file: URL, matching: CassetteMatching = .strict,
        redaction: CassetteRedaction = .standard
    ) throws(CassetteError) {
        guard let interactions = try CassetteFile(url: file).read() else {
            throw CassetteError(
                file,
                [
                    "there is no such cassette; run the test once with \(CassetteMode.variable)=record-missing to "
                        + "record it"
                ])
        }
        self.init(CassetteTape(interactions, of: file, matching, redaction), file)
    }

    init(_ tape: CassetteTape, _ file: URL) {
        self.tape = tape
        self.file = file
    }

    /// Makes the transfer of an exchange.
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

    /// Checks that requests and interactions fit; call it at the end of a test.
    ///
    /// - Throws: A ``CassetteError`` with the ``problems``, if there are any.
    public func verify() throws(CassetteError) {
        let problems = problems
        if !problems.isEmpty { throw CassetteError(file, problems) }
    }
}
