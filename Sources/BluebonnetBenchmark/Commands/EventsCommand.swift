import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation

/// `scripts/benchmark events`: counts server-sent events of 100 bytes a second.
///
/// The framer reads them from memory. The other ways read them from a server of this process, over a
/// socket: as bytes, as events, and in Go and in Python, line by line with the standard library. They
/// take turns.
struct EventsCommand {
    private enum Way: String, CaseIterable {
        case framer = "framer alone"
        case bytes = "stream, bytes"
        case events = "stream, events"
        case go = "Go's bufio.Scanner"
        case python = "Python's http.client"
    }

    private static let event = Array(
        "id: 1234567\ndata: \(String(repeating: "x", count: 80))\n\n".utf8)
    private static let blockCount = 10_000
    /// 66 KB, about as much as one read of a socket returns.
    private static let block = Array((0..<660).map { _ in event }.joined())
    private static let count = 660 * blockCount

    private let rounds: Int

    init(_ arguments: some Sequence<String>) throws {
        rounds = try OptionReader.rounds(in: arguments) ?? 5
    }

    func run() async throws {
        let server = try FixtureServer(routes: [
            "/events": { _ in
                .script([
                    .send(
                        Array(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                                .utf8)),
                    .generate { $0 < Self.blockCount ? [.send(Self.block)] : nil }, .close,
                ])
            }
        ])
        let manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        // Without Go, its client is not built.
        let hasGo = try ClientLauncher(clients: []).hasGo
        let ways = Way.allCases.filter { $0 != .go || hasGo }
        var runs: [Way: [Double]] = [:]
        for round in 0..<rounds {
            BenchmarkCommand.report("events, round \(round + 1) of \(rounds)")
            for way in ways {
                let start = MonotonicClock.seconds
                let found = try await read(way, manager, server.baseURL + "/events")
                guard found == Self.count else {
                    throw BenchmarkFailure("\(way.rawValue) read \(found) events of \(Self.count)")
                }
                runs[way, default: []].append(MonotonicClock.seconds - start)
            }
        }
        print(Machine.current().summary)
        print(
            "\(Self.count) events of \(Self.event.count) bytes, a second; best and median of \(rounds):"
        )
        for way in ways {
            let rates = (runs[way] ?? []).sorted().map { Int(Double(Self.count) / $0) }
            print("\(way.rawValue): \(rates[0]), \(rates[rates.count / 2])")
        }
        print("peak memory: \(ProcessState.peakMemory >> 20) MiB")
    }

    private func read(
        _ way: Way, _ manager: HTTPSessionManager, _ url: String
    ) async throws -> Int {
        switch way {
        case .framer:
            let piece = Data(Self.block)
            var values = EventValues(maximumLength: 1_048_576)
            var found: [Result<ServerSentEvent, BluebonnetError>] = []
            var count = 0
            for _ in 0..<Self.blockCount {
                try values.add(piece, to: &found)
                count += found.count
                found.removeAll(keepingCapacity: true)
            }
            return count
        case .bytes:
            var count = 0
            for try await piece in try await manager.stream("events") { count += piece.count }
            return count / Self.event.count
        case .events:
            var count = 0
            for try await event in manager.events("events") where event.data.utf8.count == 80 {
                count += 1
            }
            return count
        case .go:
            let program = try ClientLauncher(clients: []).program("BluebonnetBenchmarkGo").path
            let output = try SystemCommand(program, ["events", url]).output()
            return Int(String(decoding: output, as: UTF8.self).filter(\.isNumber)) ?? 0
        case .python:
            let script = """
                import sys, urllib.request
                count, data = 0, []
                for line in urllib.request.urlopen(sys.argv[1]):
                    line = line.decode().rstrip("\\r\\n")
                    if not line:
                        count += bool(data)
                        data = []
                    elif line.startswith("data:"):
                        data.append(line[5:].lstrip(" "))
                print(count)
                """
            let output = try await PythonScript.run(script, url)
            return Int(String(decoding: output, as: UTF8.self).filter(\.isNumber)) ?? 0
        }
    }
}
