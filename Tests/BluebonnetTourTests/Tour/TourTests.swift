import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTourServer
import Testing

@testable import BluebonnetTour

@Suite("The tour", .timeLimit(.minutes(5)))
struct TourTests {
    private let recorded = RecordedTerminal()
    private let directory: ServerDirectory

    init() throws {
        directory = try ServerDirectory(for: "tour")
    }

    /// A tour against a server with some routes of its own, with what ends it.
    private func tour(
        _ routes: [String: FixtureServer.Handler] = [:]
    ) throws -> (tour: Tour, api: TourManager, server: FixtureServer) {
        let server = try FixtureServer(routes: TourRoutes.all.merging(routes) { $1 })
        let url = try #require(URL(string: server.baseURL + "/"))
        let api = TourManager(baseURL: url)
        let stage = TourStage(
            api: api, url: url, directory: directory.url,
            output: recorded.terminal)
        return (Tour(stage: stage), api, server)
    }

    @Test("all steps hold, in lines that fit a terminal of 80 columns, with their code")
    func holds() async throws {
        var (tour, api, server) = try tour()
        defer { server.stop() }
        await tour.run()
        #expect(tour.failures == 0, "\(recorded.text)")
        let lines = recorded.text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("A tour of Bluebonnet: \(Tour.steps.count) steps") == true)
        for step in Tour.steps {
            let place = try #require(lines.firstIndex { $0.hasPrefix("ok     \(step.title) ") })
            #expect(lines[place].count < 80, "\(lines[place])")
            let code = step.code.split(separator: "\n").map { "    \($0)" }
            let shown = lines[(place + 1)...].drop { $0 != code[0] }.prefix(code.count)
            #expect(shown.elementsEqual(code) { $0 == $1 })
        }
        let summary = "All \(Tour.steps.count) steps held, with \(api.started.current) requests in "
        #expect(lines.contains { $0.hasPrefix(summary) })
        #expect(lines.contains { $0.hasPrefix("next: README.md ") })
    }

    @Test("a step that does not hold is counted, told of and does not end the tour")
    func fails() async throws {
        var (tour, _, server) = try tour([
            "/cookie": { _ in .text("no cookie") },
            "/busy": { _ in .json("{}", status: 404) },
        ])
        defer { server.stop() }
        await tour.run()
        #expect(tour.failures == 2)
        #expect(recorded.text.contains("\nFAILED keep a cookie "))
        #expect(recorded.text.contains("\nFAILED retry after a 503 "))
        #expect(recorded.text.contains("\n2 of \(Tour.steps.count) steps failed, with "))
        #expect(recorded.text.contains("\nok     hooks and observers "))
    }

    @Test(
        "canceled while it waits for a server, it ends that step and takes no other",
        arguments: [
            ("/flowers", 1), ("/json", 2), ("/echo", 6), ("/delay/50", 18), ("/busy", 20),
            ("/big.bin", 23), ("/upload", 24), ("/interrupted", 25), ("/chunked/1000000", 27),
            ("/feed", 28), ("/secret", 29), ("/cookie", 31),
        ])
    func cancelled(path: String, startsUpToStep: Int) async throws {
        let (tour, api, server) = try tour([path: { _ in .script([.hold]) }])
        defer { server.stop() }
        let task = Locked<Task<Tour, Never>?>(nil)
        api.addMonitor(of: [.sentRequest]) { events in
            for event in events {
                guard case .sentRequest(let request) = event.kind,
                    request.url?.path == path
                else { continue }
                task.withLock { $0 }?.cancel()
            }
        }
        let running = task.withLock { task in
            let new = Task {
                var tour = tour
                await tour.run()
                return tour
            }
            task = new
            return new
        }
        #expect(await running.value.failures == 0, "\(recorded.text)")
        #expect(!recorded.text.contains("FAILED") && !recorded.text.contains("no error"))
        #expect(!recorded.text.contains("next:"))
        #expect(api.started.current <= startsUpToStep)
    }
}
