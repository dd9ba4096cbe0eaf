/// The tools and limits of this machine that some clients and cases require.
struct Abilities {
    var hasGo = true
    var hasNewerLibcurl = true
    /// The reason why too few files can be open for the largest case; nil if there are enough.
    var fileLimit: String?

    /// Returns the reason why the client does not run the case, or nil if it runs.
    func objection(to client: Client, _ benchmarkCase: BenchmarkCase) -> String? {
        if client == .go, !hasGo {
            return "go is left out because Go is not installed (apt-get install golang-go)"
        }
        if benchmarkCase.listener == .http2, client != .go, !hasNewerLibcurl {
            return "\(benchmarkCase.name) is left out except for go, because there is no libcurl"
                + " 8.14 or newer: run scripts/setup --libcurl"
        }
        guard let fileLimit, case .amongHeld = benchmarkCase.work else { return nil }
        return "\(benchmarkCase.name) is left out because \(fileLimit)"
    }
}
