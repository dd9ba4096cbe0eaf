import BluebonnetFixtureServer

/// A server that keeps clients waiting, in the driver's process and therefore not in the client's.
struct SlowServer {
    private let server: FixtureServer

    /// Creates a server that never answers `/slow`.
    ///
    /// It answers `/barrier/N` after N other requests have arrived.
    init() throws {
        server = try FixtureServer(routes: ["/slow": { _ in .script([.hold]) }])
        server.route("/barrier/*") { [unowned server] request in
            let count = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
            let wait = FixtureReply.Step.generate { [unowned server] _ in
                server.requestCount > count ? nil : [.pause(milliseconds: 5)]
            }
            let answer = FixtureReply.json("{}").steps
            return .script([wait] + answer)
        }
    }

    var url: String { server.baseURL }

    func stop() { server.stop() }
}
