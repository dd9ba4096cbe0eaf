import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTour

@Suite("The tour as a program", .timeLimit(.minutes(5)))
struct TourProcessTests {
    private let server: FixtureServer

    init() throws {
        server = try FixtureServer(routes: [
            "/whole": { _ in Self.reply(500, then: .endRequest) },
            "/broken": { _ in Self.reply(250, then: .close) },
            "/stalled": { _ in Self.reply(250, then: .hold) },
        ])
    }

    /// As many bytes of 500.
    private static func reply(_ count: Int, then end: FixtureReply.Step) -> FixtureReply {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 500\r\n\r\n"
        return .script([.send(Array(head.utf8)), .send(DeterministicBytes.prefix(count)), end])
    }

    @Test("help is printed to standard output, and an unknown option named on standard error")
    func usage() async throws {
        let help = try await TourProcess.start("http://a.test", "--help")
        #expect(try await help.wait() == 0)
        #expect(help.output == TourInvocation.usage + "\n")
        #expect(help.errors == "")
        let unknown = try await TourProcess.start("http://a.test", "--user=me:hunter2")
        #expect(try await unknown.wait() == 2)
        #expect(unknown.output == "")
        #expect(
            unknown.errors
                == "bluebonnet-tour: unknown option --user\n\(TourInvocation.usage)\n")
    }

    @Test("the server alone says where it listens, answers, and ends with SIGTERM")
    func serve() async throws {
        let terminal = try PseudoTerminal(columns: 100)
        let tour = try await TourProcess.start(
            ["--serve", "0"], on: terminal, inForeground: false)
        let line = await terminal.read(until: "/ until")
        let url = try #require(line.firstMatch(of: #/http:.+\//#)?.output)
        let manager = HTTPSessionManager(baseURL: URL(string: String(url)))
        let flowers = try await manager.get("flowers", parameters: ["petals": 3])
        #expect(String(decoding: flowers, as: UTF8.self) == #"[{"name":"trillium","petals":3}]"#)
        tour.child.stop()
        #expect(tour.child.exitStatus == 143)
    }

    @Test("the server alone does not start at a port that is in use, nor with a bad one")
    func serveInVain() async throws {
        let busy = try await TourProcess.start("--serve", "\(server.port)")
        #expect(try await busy.wait() == 1)
        #expect(busy.output == "")
        #expect(busy.errors.contains("port \(server.port): it is in use; try --serve 0"))
        let bad = try await TourProcess.start("--serve", "http")
        #expect(try await bad.wait() == 2)
        #expect(
            bad.errors.hasPrefix("bluebonnet-tour: --serve takes a port and nothing else\nusage:"))
    }

    @Test("no line shows what is secret in an argument")
    func secrets() async throws {
        let authority = server.baseURL.dropFirst("http://".count)
        let tour = try await TourProcess.start(
            "http://lupin:hunter2@\(authority)/whole", "http://lupin:hunt er2@\(authority)/whole",
            "lupin:hunter2@\(authority)", "http://lupin:hunter2@",
            "\(server.baseURL)/whole?k=hunter2",
            "\(server.baseURL)/broken?k=hunter2#er2")
        #expect(try await tour.wait() == 1)
        let lines = tour.output.split(separator: "\n")
        let names = lines.map {
            $0.prefix(upTo: $0.firstRange(of: ": ")?.lowerBound ?? $0.endIndex)
        }
        #expect(
            names == [
                "http://…@\(authority)/whole", "http://…@\(authority)/whole", "argument 3",
                "argument 4", "http://\(authority)/whole…", "http://\(authority)/broken…",
            ])
        for secret in ["lupin", "hunt", "er2", "k="] {
            #expect(!tour.output.contains(secret) && !tour.errors.contains(secret))
        }
    }

    @Test("on a terminal the bars stay, finished or as far as they got, each above its line")
    func bars() async throws {
        let terminal = try PseudoTerminal(columns: 100)
        let urls = ["whole", "broken"].map { "\(server.baseURL)/\($0)" }
        let tour = try await TourProcess.start(urls, on: terminal, inForeground: false)
        #expect(try await tour.wait() == 1)
        let lines = ScreenText(terminal.read()).lines
        try #require(lines.count == 5)
        #expect(lines[0].hasPrefix("\(urls[0])  100%  ████"))
        #expect(lines[0].contains("  500 B  "))
        #expect(lines[1].hasPrefix("\(urls[0]): 200, a/b, 500 bytes, "))
        #expect(lines[2].hasPrefix("\(urls[1])   50%  ████"))
        #expect(lines[2].contains("250 B/500 B"))
        #expect(lines[3].hasPrefix("\(urls[1]): "))
        #expect(lines[4] == "")
    }

    @Test("Ctrl-C leaves the bar as it is, ends with a word below it, and exits with 130")
    func interrupt() async throws {
        let terminal = try PseudoTerminal(columns: 100)
        let url = "\(server.baseURL)/stalled"
        let tour = try await TourProcess.start(
            [url, "not-a-url"], on: terminal, inForeground: true)
        var shown = await terminal.read(until: "250 B/500 B")
        terminal.press("\u{3}")
        #expect(try await tour.wait() == 130)
        shown += terminal.read()
        let lines = ScreenText(shown).lines
        try #require(lines.count == 3)
        #expect(lines[0].hasPrefix("\(url)   50%  ████"))
        #expect(lines[1...] == ["interrupted", ""])
    }

    @Test("Ctrl-C before anything has come leaves nothing but the word")
    func interruptSilence() async throws {
        let (requests, feed) = AsyncStream.makeStream(of: Void.self)
        let silent = try FixtureServer(routes: [
            "/": { _ in
                feed.yield()
                return .script([.hold])
            }
        ])
        let terminal = try PseudoTerminal(columns: 100)
        let tour = try await TourProcess.start(
            ["\(silent.baseURL)/"], on: terminal, inForeground: true)
        for await _ in requests { break }
        terminal.press("\u{3}")
        #expect(try await tour.wait() == 130)
        #expect(ScreenText(terminal.read()).lines == ["interrupted", ""])
    }

    @Test("SIGTERM ends it with a word and exits with 143")
    func terminate() async throws {
        let terminal = try PseudoTerminal(columns: 100)
        let tour = try await TourProcess.start(
            ["\(server.baseURL)/stalled"], on: terminal, inForeground: false)
        var shown = await terminal.read(until: "250 B/500 B")
        tour.child.stop()
        #expect(tour.child.exitStatus == 143)
        shown += terminal.read()
        #expect(ScreenText(shown).lines.dropFirst() == ["interrupted", ""])
    }

    @Test("a standard output that nobody reads ends it in good order")
    func closedPipe() async throws {
        // With the usual action for SIGPIPE, which Python gives its children.
        let script = """
            import os, subprocess, sys
            reading, writing = os.pipe()
            os.close(reading)
            print(subprocess.run(sys.argv[1:], stdout=writing).returncode)
            """
        func status(_ arguments: String...) async throws -> String {
            let directory = try ServerDirectory(for: "tour")
            try directory.write(script, to: "script.py")
            var python = SystemCommand(
                "python3", ["script.py", TourProcess.program] + arguments, in: directory)
            python.timeoutSeconds = 60
            return String(decoding: try python.output(), as: UTF8.self)
        }
        #expect(try await status("\(server.baseURL)/whole") == "141\n")
        #expect(try await status() == "141\n")
        #expect(try await status("--help") == "0\n")
    }
}
