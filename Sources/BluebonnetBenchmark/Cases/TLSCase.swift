/// The kind of connection of each request that `scripts/benchmark tls` measures.
enum TLSCase: String, CaseIterable, Sendable {
    /// A new connection without TLS, whose cost is subtracted to get the cost of a handshake.
    case plain = "new connection"
    case full = "full handshake"
    case resumed = "resumed handshake"
    /// A connection that is already open.
    case kept = "kept connection"

    /// The number of concurrent requests, 1 for handshakes so that they do not wait for each other.
    var concurrency: Int { self == .kept ? 64 : 1 }

    /// The number of requests of a run of about a second.
    var count: Int { self == .kept ? 30_000 : 500 }

    /// Whether the handshake of every request resumes a session; nil for cases without handshakes.
    var resumes: Bool? {
        switch self {
        case .full: false
        case .resumed: true
        case .plain, .kept: nil
        }
    }

    /// The most CPU time that a handshake may take, in milliseconds.
    static let budget = 2.0
}
