import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTour

@Suite("The tour", .timeLimit(.minutes(5)))
struct TourTests {
    @Test(
        "cancelled while it waits for a server, it ends that step and takes no other",
        arguments: [
            ("/json", 4), ("/echo", 6), ("/delay/50", 18), ("/big.bin", 21), ("/upload", 21),
            ("/interrupted", 22), ("/chunked/1000000", 24), ("/secret", 26), ("/cookie", 28),
        ])
    func cancelled(path: String, startsUpToStep: Int) async throws {
        var routes = TourRoutes.all
        routes[path] = { _ in .script([.hold]) }
        let server = try FixtureServer(routes: routes)
        defer { server.stop() }
        let manager = TourManager(baseURL: try #require(URL(string: server.baseURL)))
        let directory = try ServerDirectory(for: "tour")
        let recorded = RecordedTerminal()
        let task = Locked<Task<Tour, Never>?>(nil)
        manager.addMonitor(of: [.sentRequest]) { events in
            for event in events {
                guard case .sentRequest(let request) = event.kind,
                    request.url?.path == path
                else { continue }
                task.withLock { $0 }?.cancel()
            }
        }
        let tour = task.withLock { task in
            let new = Task {
                var tour = Tour(
                    manager: manager, directory: directory.url, output: recorded.terminal())
                await tour.run()
                return tour
            }
            task = new
            return new
        }
        #expect(await tour.value.failures == 0, "\(recorded.writes)")
        #expect(!recorded.writes.contains { $0.contains("FAILED") || $0.contains("no error") })
        #expect(manager.started.current <= startsUpToStep)
    }
}
