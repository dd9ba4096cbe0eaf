import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTour

@Suite("The tour as a program", .timeLimit(.minutes(5)))
struct TourProcessTests {
    @Test("help is printed to standard output, and bad arguments are refused in one line")
    func usage() async throws {
        let help = try await TourProcess.start("http://a.test", "--help")
        #expect(try await help.wait() == 0)
        #expect(help.output == TourUsage.text + "\n")
        #expect(help.errors == "")
        let unknown = try await TourProcess.start("http://a.test", "--pass=me:hunter2")
        #expect(try await unknown.wait() == 2)
        #expect(unknown.output == "")
        #expect(unknown.errors == "tour: unknown option --pass; scripts/tour --help tells more\n")
    }

    @Test("the usage fits a terminal of 80 columns, and is ASCII")
    func usageWidth() {
        for line in TourUsage.text.split(separator: "\n") {
            #expect(line.count <= 80 && line.allSatisfy(\.isASCII), "\(line)")
        }
    }

    @Test("into a file, the tour has neither bars nor control sequences, and leaves no files")
    func plain() async throws {
        let tour = try await TourProcess.start()
        #expect(try await tour.wait() == 0)
        #expect(tour.output.hasPrefix("A tour of Bluebonnet: \(Tour.steps.count) steps"))
        #expect(!tour.output.contains("\u{1B}") && !tour.output.contains("\r"))
        #expect(tour.errors == "")
        #expect(tour.files == [])
    }

    @Test("on a terminal, the bars stay above the lines of their steps, with size, rate and time")
    func bars() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let tour = try await TourProcess.start([], on: terminal, inForeground: false)
        // Read while it runs, or the terminal is full.
        let shown = await terminal.read(until: "--help ") + terminal.read()
        #expect(try await tour.wait() == 0)
        #expect(shown.contains("\u{1B}[32mok    \u{1B}[0m \u{1B}[1mtyped JSON"))
        let lines = ScreenText(shown).lines
        for name in ["big.bin", "upload.bin", "resumed.bin"] {
            let place = try #require(lines.firstIndex { $0.hasPrefix("\(name)  100%  ██████") })
            #expect(lines[place].contains(" MiB  "))
            #expect(lines[place].contains(#/ [KM]iB/s  in [0-9.]+ m?s$/#), "\(lines[place])")
            #expect(lines[place - 1] == "" && lines[place + 1].hasPrefix("ok "))
        }
        #expect(lines.allSatisfy { $0.count < 80 })
        #expect(tour.files == [])
    }

    @Test("NO_COLOR turns colors off, and an ASCII terminal gets ASCII")
    func noColor() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let tour = try await TourProcess.start(
            [], on: terminal, inForeground: false, environment: ["NO_COLOR": "1", "LC_ALL": "C"])
        let shown = await terminal.read(until: "--help ") + terminal.read()
        #expect(try await tour.wait() == 0)
        #expect(!shown.contains(#/\u{1B}\[[0-9]/#))
        #expect(shown.utf8.allSatisfy { $0 < 0x80 })
        #expect(shown.contains("big.bin  100%  [####"))
    }

    @Test("a dumb terminal gets no bars and no control sequences")
    func dumb() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let tour = try await TourProcess.start(
            [], on: terminal, inForeground: false, environment: ["TERM": "dumb"])
        let shown = await terminal.read(until: "--help ") + terminal.read()
        #expect(try await tour.wait() == 0)
        #expect(!shown.contains("\u{1B}") && !shown.contains("100%"))
    }

    // MARK: The server alone

    @Test("the server alone says where it listens, answers, and ends with SIGTERM")
    func serve() async throws {
        let terminal = try PseudoTerminal(columns: 100)
        let tour = try await TourProcess.start(
            ["--serve", "0"], on: terminal, inForeground: false)
        let text = await terminal.read(until: "big.bin $url/big.bin")
        let url = try #require(text.firstMatch(of: #/http:[0-9./:]+\//#)?.output)
        let manager = HTTPSessionManager(baseURL: URL(string: String(url)))
        let flowers = try await manager.get("flowers", parameters: ["petals": 3])
        #expect(String(decoding: flowers, as: UTF8.self) == #"[{"name":"trillium","petals":3}]"#)
        #expect(ScreenText(text).lines.allSatisfy { $0.count <= 80 })
        tour.child.stop()
        #expect(tour.child.exitStatus == 143)
    }

    @Test("what the server says to try works")
    func examples() async throws {
        let server = try FixtureServer(routes: TourRoutes.all)
        defer { server.stop() }
        let directory = try ServerDirectory(for: "tour")
        for (command, _) in TourServer.examples where !command.contains("curl") {
            let words = command.replacing("$url", with: server.baseURL).split(separator: " ")
                .dropFirst().map(String.init)
            let tour = try await TourProcess.start(words, in: directory)
            let fails = words.contains("-f") || words.contains("--timeout")
            #expect(try await tour.wait() == (fails ? 1 : 0), "\(command): \(tour.errors)")
            #expect(tour.output.isEmpty == (fails || words.contains("-o")), "\(command)")
            #expect(!tour.output.contains("error"), "\(command)")
        }
        #expect(directory.data(of: "big.bin") == TourRoutes.content(TourRoutes.bigCount))
        let curl = try #require(TourServer.examples.first?.command)
        let run = try await ShellRun("url=\(server.baseURL); \(curl)", in: directory)
        #expect(run.output == #"[{"name":"bluebonnet","petals":5}]"#)
    }

    @Test("the server alone does not start at a port that is in use, nor with a bad one")
    func serveInVain() async throws {
        let server = try FixtureServer()
        defer { server.stop() }
        let busy = try await TourProcess.start("--serve", "\(server.port)")
        #expect(try await busy.wait() == 1)
        #expect(busy.output == "")
        #expect(busy.errors.contains("port \(server.port): it is in use; try --serve 0"))
        let bad = try await TourProcess.start("--serve", "http")
        #expect(try await bad.wait() == 2)
        #expect(bad.errors.hasPrefix("tour: --serve takes a port from 0 to 65535 and nothing else"))
    }

    // MARK: Output that nobody reads

    /// Runs it with a standard output whose reader has gone; returns its exit status.
    private func statusUnread(
        _ arguments: String, in directory: ServerDirectory
    ) async throws -> String {
        // With the usual action for SIGPIPE, which Python gives its children.
        let script = """
            import os, subprocess, sys
            reading, writing = os.pipe()
            os.close(reading)
            print(subprocess.run(sys.argv[1:], stdout=writing).returncode)
            """
        try directory.write(script, to: "script.py")
        return try await ShellRun("python3 script.py $tour \(arguments)", in: directory).output
    }

    @Test("a standard output that nobody reads ends it in good order")
    func closedPipe() async throws {
        let server = try FixtureServer()
        defer { server.stop() }
        let directory = try ServerDirectory(for: "tour")
        #expect(try await statusUnread("\(server.baseURL)/endless", in: directory) == "141\n")
        #expect(try await statusUnread("\(server.baseURL)/text", in: directory) == "141\n")
        #expect(try await statusUnread("", in: directory) == "141\n")
        #expect(try await statusUnread("--serve 0", in: directory) == "141\n")
        #expect(try await statusUnread("--help", in: directory) == "0\n")
        #expect(directory.text(of: "errors") == "")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(files) == ["script.py", "output", "errors"])
    }
}
