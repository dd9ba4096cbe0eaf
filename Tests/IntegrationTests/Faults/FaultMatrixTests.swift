import BluebonnetTransport
import BluebonnetTestSupport
import Testing

/// The fault matrix, on sockets and through a manager: see `Documentation.docc/Faults.md`.
@Suite("Bad servers", .timeLimit(.minutes(5)))
struct FaultMatrixTests {
    let surroundings: FaultSurroundings

    init() async throws {
        surroundings = try await .shared()
    }

    private func perform(_ fault: Fault, _ way: Fault.Way) async throws {
        await FaultGate.shared.enter()
        do {
            var objection: String?
            for _ in 1...FaultRun.attemptCount {
                objection = try await FaultRun(fault, way, surroundings).perform()
                if objection == nil { break }
            }
            #expect(objection == nil, "\(fault.testDescription), \(way.rawValue)")
        } catch {
            Issue.record(error, "\(fault.testDescription)")
        }
        await FaultGate.shared.leave()
    }

    private static func cases(_ faults: [Fault]) -> [FaultCase] {
        faults.flatMap { fault in fault.ways.map { FaultCase(fault: fault, way: $0) } }
    }

    @Test("connections that end early (1–7)", arguments: cases(Fault.ends))
    func ends(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("declared lengths (8–15)", arguments: cases(Fault.lengths))
    func lengths(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("chunks and transfer codings (16–21)", arguments: cases(Fault.chunks))
    func chunks(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("status lines (22–24)", arguments: cases(Fault.statusLines))
    func statusLines(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("heads (25–30)", arguments: cases(Fault.heads))
    func heads(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("interim responses (31–34)", arguments: cases(Fault.interims))
    func interims(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("responses that have no body, or a part (35–36)", arguments: cases(Fault.bodiless))
    func bodiless(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("redirects (37–38)", arguments: cases(Fault.redirects))
    func redirects(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("content codings (41–45)", arguments: cases(Fault.codings))
    func codings(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("silence, slowness and no end (46–48)", arguments: cases(Fault.silences))
    func silences(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("requests that are answered early or not read (49–51)", arguments: cases(Fault.uploads))
    func uploads(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("kept connections (52–53)", arguments: cases(Fault.keptConnections))
    func keptConnections(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("TLS (58–59)", arguments: cases(Fault.security))
    func security(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("hosts that cannot be found or reached (47, 55)", arguments: cases(Fault.connecting))
    func connecting(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test(
        "streams of HTTP/2 that are reset or refused (63–65, 68)",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2),
        arguments: cases(Fault.streams))
    func streams(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test(
        "connections of HTTP/2 that go away (66–67)",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2),
        arguments: cases(Fault.goingAway))
    func goingAway(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test(
        "frames of HTTP/2 that are wrong (69)", .enabled(if: LibcurlQuirks.current.speaksHTTP2),
        arguments: cases(Fault.frames))
    func frames(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test(
        "responses of HTTP/2 that are wrong (70)", .enabled(if: LibcurlQuirks.current.speaksHTTP2),
        arguments: cases(Fault.messages))
    func messages(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test(
        "limits and floods of HTTP/2 (71)", .enabled(if: LibcurlQuirks.current.speaksHTTP2),
        arguments: cases(Fault.floods))
    func floods(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test(
        "windows of HTTP/2 (72)", .enabled(if: LibcurlQuirks.current.speaksHTTP2),
        arguments: cases(Fault.windows))
    func windows(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("proxies (73–74)", arguments: cases(Fault.proxies))
    func proxies(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("challenges (75–76)", arguments: cases(Fault.authentication))
    func authentication(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("cookies (77)", arguments: cases(Fault.cookies))
    func cookies(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("URLs and addresses (79, 94)", arguments: cases(Fault.addresses))
    func addresses(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }

    @Test("fields about time, caches and names (91, 93)", arguments: cases(Fault.fields))
    func fields(_ one: FaultCase) async throws { try await perform(one.fault, one.way) }
}

/// A fault in one way of speaking.
struct FaultCase: Sendable, CustomTestStringConvertible {
    let fault: Fault
    let way: Fault.Way

    var testDescription: String { "\(fault.testDescription) (\(way.rawValue))" }
}
