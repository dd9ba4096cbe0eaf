import Bluebonnet
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTour

@Suite("The tour as a program", .timeLimit(.minutes(5)))
struct TourProcessTests {
    @Test("bad arguments are refused in one line")
    func usage() async throws {
        let unknown = try await TourProcess.start(["http://a.test"])
        #expect(try await unknown.wait() == 2)
        #expect(unknown.output == "")
        #expect(
            unknown.errors
                == "tour: the only option is --serve [PORT]; scripts/tour --help tells more\n")
    }

    @Test("into a file, the tour has no control sequences, and leaves no files")
    func plain() async throws {
        let tour = try await TourProcess.start()
        #expect(try await tour.wait() == 0)
        #expect(tour.output.hasPrefix("A tour of Bluebonnet: \(Tour.steps.count) steps"))
        #expect(!tour.output.contains("\u{1B}") && !tour.output.contains("\r"))
        #expect(tour.errors == "")
        #expect(tour.files == [])
    }

    @Test("on a terminal, the steps have colors, in lines that fit 80 columns")
    func colors() async throws {
        let shown = try await shown()
        #expect(shown.contains("\u{1B}[32mok    \u{1B}[0m \u{1B}[1mtyped JSON"))
        let lines = ScreenText(shown).lines.filter { $0.hasPrefix("ok ") }
        #expect(lines.count == Tour.steps.count && lines.allSatisfy { $0.count < 80 })
    }

    @Test(
        "NO_COLOR and a dumb terminal turn control sequences off",
        arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func noColor(environment: [String: String]) async throws {
        #expect(try await !shown(environment: environment).contains("\u{1B}"))
    }

    /// Runs the tour on a terminal; returns what it writes.
    private func shown(environment: [String: String] = [:]) async throws -> String {
        let terminal = try PseudoTerminal()
        let tour = try await TourProcess.start(
            [], on: terminal, inForeground: false, environment: environment)
        // Read while it runs, or the terminal is full.
        let shown = await terminal.read(until: "Examples/") + terminal.read()
        #expect(try await tour.wait() == 0)
        #expect(tour.files == [])
        return shown
    }

    // MARK: Output that nobody reads

    /// Runs it with a standard output whose reader has gone; returns its exit status.
    private func statusUnread(
        _ command: String, in directory: ServerDirectory
    ) async throws -> String {
        // With the usual action for SIGPIPE, which Python gives its children.
        let script = """
            import os, subprocess, sys
            reading, writing = os.pipe()
            os.close(reading)
            print(subprocess.run(sys.argv[1:], stdout=writing).returncode)
            """
        try directory.write(script, to: "script.py")
        return try await ShellRun("python3 script.py \(command)", in: directory).output
    }

    @Test("a standard output that nobody reads ends it in good order")
    func closedPipe() async throws {
        let directory = try ServerDirectory(for: "tour")
        #expect(try await statusUnread("$tour", in: directory) == "141\n")
        #expect(try await statusUnread("$serve 0", in: directory) == "141\n")
        #expect(directory.text(of: "errors") == "")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(files) == ["script.py", "output", "errors"])
    }
}
