import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import Testing

@Suite("Equal results with a server, its recording and its stub", .timeLimit(.minutes(5)))
struct EqualTransportsTests {
    private let directory: ServerDirectory

    init() throws { directory = try ServerDirectory(for: "scenarios") }

    @Test("nginx", arguments: ServerScenario.nginx)
    func nginx(scenario: ServerScenario) async throws {
        try await compare(scenario, at: ScenarioServer(scenario))
    }

    @Test("httpbin")
    func httpbin() async throws {
        let server = try await HTTPBinServer()
        for scenario in ServerScenario.httpbin {
            try await compare(scenario, at: ScenarioServer(scenario, httpbin: server))
        }
        server.stop()
    }

    @Test("there are at least forty scenarios with unique names")
    func count() {
        let names = (ServerScenario.nginx + ServerScenario.httpbin).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 40)
    }

    private func compare(_ scenario: ServerScenario, at server: ScenarioServer) async throws {
        let file = directory.file("\(scenario.name).json")
        // Cookies are compared, so they must not be redacted as secrets.
        let redaction = Redactor(keptNames: ["cookie", "cookies", "set-cookie"])
        let recording = try Cassette(
            at: file, mode: .recordAnew, recordingFrom: CurlTransport(), redaction: redaction)
        let real = try await seen(of: scenario, on: recording, at: server.ports)
        try recording.verify()
        server.stop()

        let replay = try Cassette(at: file, mode: .replay, redaction: redaction)
        let replayed = try await seen(of: scenario, on: replay, at: server.ports)
        try replay.verify()
        expect(replayed, "the replay", as: real, of: scenario)

        let stub = StubTransport()
        scenario.stub(stub, server.ports)
        let stubbed = try await seen(of: scenario, on: stub, at: server.ports)
        try stub.verify()
        expect(stubbed, "the stub", as: real, of: scenario)
    }

    private func seen(
        of scenario: ServerScenario, on transport: any Transport, at ports: ScenarioPorts
    ) async throws -> [String] {
        try await ScenarioRun(scenario, on: transport, at: ports, in: directory.url)
            .seen(of: scenario)
    }

    /// Expects equal results, and shows the first difference.
    private func expect(
        _ seen: [String], _ who: String, as real: [String], of scenario: ServerScenario
    ) {
        #expect(real.count > 5, "\(scenario)")
        let place = zip(seen, real).prefix { $0 == $1 }.count
        let line: ([String]) -> String = { place < $0.count ? $0[place] : "nothing" }
        #expect(line(seen) == line(real), "\(who) of \(scenario), line \(place + 1)")
    }
}
