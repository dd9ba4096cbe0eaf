/// What this machine lacks for some clients and cases, which are then left out.
struct Abilities {
    var hasGo = true
    var hasNewerLibcurl = true
    /// Why not as many files may be open as the largest case takes.
    var fileLimit: String?

    /// Why the client does not run the case; nil where it does.
    func objection(to client: Client, _ benchmarkCase: BenchmarkCase) -> String? {
        if client == .go, !hasGo {
            return "go is left out: there is no Go to build it with (apt-get install golang-go)"
        }
        if benchmarkCase.listener == .http2, client != .go, !hasNewerLibcurl {
            return "\(benchmarkCase.name) is left out but for go: there is no libcurl of 8.14 or"
                + " newer, which scripts/libcurl backports unpacks"
        }
        guard let fileLimit, case .amongHeld = benchmarkCase.work else { return nil }
        return "\(benchmarkCase.name) is left out: \(fileLimit)"
    }
}
