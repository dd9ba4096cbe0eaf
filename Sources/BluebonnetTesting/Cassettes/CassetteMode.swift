import Bluebonnet

/// Whether a cassette is replayed or recorded.
public enum CassetteMode: Sendable, Hashable {
    /// Every request is answered from the cassette, and nothing is sent.
    case replay
    /// Requests on the cassette are answered from it, and all others are sent and recorded.
    ///
    /// Requests can skip interactions that are no longer used. If a request repeats a secret from
    /// the cassette, the server receives the placeholder. If a flow with tokens changes, record all
    /// of it again.
    case recordMissing
    /// Every request is sent, and the cassette is replaced.
    case recordAnew
    /// The mode in the environment variable `BLUEBONNET_CASSETTES`: `replay`, `record-missing` or
    /// `record-anew`.
    ///
    /// The mode is ``replay`` if the variable is missing or empty. ``Cassette`` throws an error for
    /// other values.
    case fromEnvironment

    static let variable = "BLUEBONNET_CASSETTES"

    /// Returns the mode that an environment selects for ``fromEnvironment``; other modes are
    /// returned unchanged.
    func resolved(
        for file: URL, in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CassetteError) -> Self {
        guard self == .fromEnvironment else { return self }
        let name = environment[Self.variable] ?? ""
        switch name {
        case "", "replay": return .replay
        case "record-missing": return .recordMissing
        case "record-anew": return .recordAnew
        default:
            throw CassetteError(
                file,
                [
                    "\(Self.variable) in the environment is \"\(name)\", but must be replay, record-missing or "
                        + "record-anew"
                ])
        }
    }
}
