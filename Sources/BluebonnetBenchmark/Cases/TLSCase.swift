/// What is done for each request that `bluebonnet-benchmark tls` measures.
enum TLSCase: String, CaseIterable, Sendable {
    /// A connection without TLS, from which the cost of a handshake is told apart.
    case plain = "new connection"
    case full = "full handshake"
    case resumed = "resumed handshake"
    /// A connection that is there already.
    case kept = "kept connection"

    /// One at a time, so that a handshake waits for nothing but itself.
    var concurrency: Int { self == .kept ? 64 : 1 }

    /// Requests of a run of about a second.
    var count: Int { self == .kept ? 30_000 : 500 }

    /// Whether every request begins with a handshake, and that resumes a session; nil for none.
    var resumes: Bool? {
        switch self {
        case .full: false
        case .resumed: true
        case .plain, .kept: nil
        }
    }

    /// The most CPU that a handshake may take, in milliseconds.
    static let budget = 2.0
}
