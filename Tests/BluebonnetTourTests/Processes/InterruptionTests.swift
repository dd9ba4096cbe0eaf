import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTour

extension TourProcessTests {
    @Suite("What Ctrl-C and SIGTERM do")
    struct Interruptions {
        private let server: FixtureServer
        private let terminal: PseudoTerminal

        init() throws {
            server = try FixtureServer(routes: [
                "/stalled": { _ in
                    let head = "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 500\r\n\r\n"
                    let body = Array(repeating: UInt8(ascii: "a"), count: 250)
                    return .script([.send(Array(head.utf8)), .send(body), .hold])
                }
            ])
            terminal = try PseudoTerminal(columns: 100)
        }

        private func start(_ arguments: String...) async throws -> TourProcess {
            try await TourProcess.start(arguments, on: terminal, inForeground: true)
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

        @Test("Ctrl-C leaves the bar as it is, and nothing of the file")
        func download() async throws {
            let tour = try await start("-o", "file", "\(server.baseURL)/stalled")
            let (lines, status) = try await interrupt(tour, after: "250 B/500 B")
            #expect(status == 130)
            try #require(lines.count == 3)
            #expect(lines[0].hasPrefix("file   50%  ████"))
            #expect(lines[1...] == ["interrupted", ""])
            #expect(tour.files == [])
        }

        @Test("Ctrl-C ends a body on the screen, and the URLs after it are not fetched")
        func screen() async throws {
            let tour = try await start("\(server.baseURL)/stalled", "\(server.baseURL)/text")
            let (lines, status) = try await interrupt(tour, after: "aaaa")
            #expect(status == 130)
            #expect(lines.suffix(3).first?.hasPrefix("aaaa") == true)
            #expect(lines.suffix(2) == ["interrupted", ""])
        }

        @Test("Ctrl-C before anything has come leaves nothing but the word")
        func silence() async throws {
            let (requests, feed) = AsyncStream.makeStream(of: Void.self)
            let silent = try FixtureServer(routes: [
                "/": { _ in
                    feed.yield()
                    return .script([.hold])
                }
            ])
            let tour = try await start("\(silent.baseURL)/")
            for await _ in requests { break }
            terminal.press("\u{3}")
            #expect(try await tour.wait() == 130)
            #expect(ScreenText(terminal.read()).lines == ["interrupted", ""])
        }

        @Test("Ctrl-C instead of a password brings the echo back")
        func password() async throws {
            let tour = try await start("-u", "me", "\(server.baseURL)/stalled")
            let (lines, status) = try await interrupt(tour, after: "Password for me: ")
            #expect(status == 130)
            #expect(lines == ["Password for me: ", "interrupted", ""])
            #expect(terminal.echoes)
        }

        @Test("Ctrl-C while standard input is read ends it")
        func input() async throws {
            let tour = try await start("-d", "-", "\(server.baseURL)/stalled")
            let (lines, status) = try await interrupt(tour, after: "Ctrl-D:")
            #expect(status == 130)
            #expect(lines == ["type the body, and end it with Ctrl-D:", "interrupted", ""])
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
                try await start("--serve", "0"), after: "8 MiB")
            #expect(status == 130)
            #expect(lines.suffix(2) == ["interrupted", ""])
        }

        @Test("SIGTERM ends it with a word and exits with 143")
        func terminate() async throws {
            let tour = try await TourProcess.start(
                ["-o", "file", "\(server.baseURL)/stalled"], on: terminal, inForeground: false)
            var shown = await terminal.read(until: "250 B/500 B")
            tour.child.stop()
            #expect(tour.child.exitStatus == 143)
            shown += terminal.read()
            #expect(ScreenText(shown).lines.dropFirst() == ["interrupted", ""])
            #expect(tour.files == [])
        }

        @Test("output that nobody takes does not keep it from ending")
        func fullPipe() async throws {
            let directory = try ServerDirectory(for: "tour")
            // Standard output is a pipe that is never read.
            let script = """
                import os, signal, subprocess, sys
                reading, writing = os.pipe()
                child = subprocess.Popen(sys.argv[1:], stdout=writing, stderr=subprocess.PIPE)
                child.stderr.read(1)
                child.send_signal(signal.SIGINT)
                print(child.wait())
                """
            try directory.write(script, to: "script.py")
            let url = "\(server.baseURL)/endless"
            let run = try await ShellRun("python3 script.py $tour -v \(url)", in: directory)
            #expect(run.output == "130\n", "\(run.errors)")
        }
    }
}
