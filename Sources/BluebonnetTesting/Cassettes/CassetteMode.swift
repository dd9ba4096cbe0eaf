import Bluebonnet

/// Whether a cassette is replayed or recorded.
public enum CassetteMode: Sendable, Hashable {
    /// Every request is answered from the cassette, and nothing is sent.
    case replay
    /// Requests on the cassette are answered from it, and others are sent and recorded.
    ///
    /// Requests may skip interactions that are not used any more. A server sees the placeholder where a request
    /// repeats a secret from the cassette, so record a flow with tokens anew if it changes.
    case recordMissing
    /// Every request is sent, and the cassette is replaced.
    case recordAnew
    /// The mode in the environment variable `BLUEBONNET_CASSETTES`: `replay`, `record-missing` or `record-anew`.
    ///
    /// The mode is ``replay`` if the variable is missing or empty. ``Cassette`` throws an error for other values.
    case fromEnvironment

    static let variable = "BLUEBONNET_CASSETTES"

    /// The mode that an environment says; this one if it does not depend on that.
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
                    "\(Self.variable) in the environment is \"\(name)\", and has to be replay, record-missing or "
                        + "record-anew"
                ])
        }
    }
}
