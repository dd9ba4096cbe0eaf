import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTour

extension TourProcessTests {
    @Suite("What Ctrl-C and SIGTERM do")
    struct Interruptions {
        private let terminal: PseudoTerminal

        init() throws {
            terminal = try PseudoTerminal()
        }

        private func start(
            _ program: String = TourProcess.program, _ arguments: String...
        ) async throws -> TourProcess {
            try await TourProcess.start(
                arguments, on: terminal, inForeground: true, program: program)
        }

        /// Presses Ctrl-C once a text is shown; returns all lines and the exit status.
        private func interrupt(
            _ tour: TourProcess, after text: String
        ) async throws -> (lines: [String], status: Int32) {
            var shown = await terminal.read(until: text, pressing: "\u{3}")
            let status = try await tour.wait()
            shown += terminal.read()
            return (ScreenText(shown).lines, status)
        }

        @Test("Ctrl-C while a step of the tour is under way ends the tour and leaves no files")
        func tour() async throws {
            let tour = try await start()
            let (lines, status) = try await interrupt(tour, after: "A tour of")
            #expect(status == 130)
            #expect(lines.dropLast().last == "interrupted")
            #expect(!lines.contains { $0.contains("FAILED") || $0.contains("next:") })
            #expect(tour.files == [])
        }

        @Test("Ctrl-C ends the server")
        func serve() async throws {
            let (lines, status) = try await interrupt(
                try await start(TourProcess.serveProgram, "0"), after: "8 MiB")
            #expect(status == 130)
            #expect(lines.suffix(2) == ["interrupted", ""])
        }

        @Test("SIGTERM ends it with a word and exits with 143")
        func terminate() async throws {
            let tour = try await TourProcess.start([], on: terminal, inForeground: false)
            var shown = await terminal.read(until: "A tour of")
            tour.child.stop()
            #expect(tour.child.exitStatus == 143)
            shown += terminal.read()
            #expect(ScreenText(shown).lines.suffix(2) == ["interrupted", ""])
            #expect(tour.files == [])
        }

        @Test("output that nobody takes does not keep it from ending")
        func fullPipe() async throws {
            let directory = try ServerDirectory(for: "tour")
            // Standard output is a pipe of one page that is never read. The tour writes more.
            let script = """
                import fcntl, os, signal, struct, subprocess, sys, termios, time
                reading, writing = os.pipe()
                size = fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
                child = subprocess.Popen(sys.argv[1:], stdout=writing)
                count = 0
                while count < size - 200:
                    time.sleep(0.01)
                    waiting = fcntl.ioctl(reading, termios.FIONREAD, bytes(4))
                    count = struct.unpack("i", waiting)[0]
                time.sleep(0.5)
                child.send_signal(signal.SIGINT)
                print(child.wait())
                """
            try directory.write(script, to: "script.py")
            let run = try await ShellRun("python3 script.py $tour", in: directory)
            #expect(run.output == "130\n", "\(run.errors)")
        }
    }
}
