import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTour

extension TourProcessTests {
    /// `scripts/tour` with a `swift` of the test's own.
    @Suite("The script that builds the tour")
    struct Script {
        private let directory: ServerDirectory

        init() throws {
            directory = try ServerDirectory(for: "tour")
        }

        /// Puts the script into a package whose build runs a few lines of shell.
        private func makePackage(build: String) throws {
            let files = FileManager.default
            for name in ["scripts", "bin", "Sources/BluebonnetTour", "elsewhere"] {
                try files.createDirectory(
                    atPath: directory.path(of: name), withIntermediateDirectories: true)
            }
            for name in ["scripts/tour", "Sources/BluebonnetTour/TourUsage.swift"] {
                try files.copyItem(
                    at: PackageDirectory.url(of: name), to: directory.file(name))
            }
            let swift = """
                #!/bin/sh
                case "$*" in
                *--show-bin-path) echo '\(directory.path(of: "bin"))'; exit ;;
                esac
                \(build)
                """
            try write(swift, to: "bin/swift")
            try write("#!/bin/sh\necho setup", to: "scripts/setup")
            try write("#!/bin/sh\necho \"$PWD\" \"$@\"; exit 7", to: "bin/BluebonnetTour")
        }

        private func write(_ text: String, to name: String) throws {
            try directory.write(text + "\n", to: name)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: directory.path(of: name))
        }

        private var path: String {
            "\(directory.path(of: "bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        }

        /// Runs a line of shell in another directory, with the script as `$script`.
        private func run(_ line: String) async throws -> [Substring] {
            let script = "script='\(directory.path(of: "scripts/tour"))'"
            let run = try await ShellRun(
                "cd elsewhere; \(script); \(line)", in: directory,
                environment: ["PATH": path, "TERM": "xterm"])
            return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }

        @Test("it prints the usage of the program before anything is built")
        func usage() async throws {
            try makePackage(build: "echo built >&2; exit 1")
            for arguments in ["help", "-h", "--help", "http://a.test --help", "fetch -h"] {
                let lines = try await run("\"$script\" \(arguments) 2>&1")
                #expect(lines.joined(separator: "\n") == TourUsage.text)
            }
        }

        @Test(
            "it builds with a line at the start and at the end, and runs the program where it was called"
        )
        func build() async throws {
            try makePackage(build: "echo '[1/2] Compiling'; echo warning >&2; echo '[2/2] Linking'")
            let lines = try await run("\"$script\" -o 'a b' c 2>errors; echo $?; cat errors")
            #expect(lines[0].hasSuffix("/elsewhere -o a b c"))
            #expect(lines[1] == "7")
            #expect(
                lines[2...3] == [
                    "setup", "tour: building, which takes some minutes the first time",
                ])
            #expect(lines[4].contains(#/^tour: built in \d+ s$/#))
            #expect(lines.count == 5)
        }

        @Test("a build that fails is shown on standard error")
        func failure() async throws {
            try makePackage(build: "echo '[1/2] Compiling'; echo 'a.swift: error' >&2; exit 3")
            let lines = try await run("\"$script\" 2>errors; echo $?; cat errors")
            #expect(lines.first == "1")
            #expect(
                lines.suffix(3) == ["[1/2] Compiling", "a.swift: error", "tour: the build failed"])
        }

        @Test("on a terminal, it shows the steps of the build on one line, which stays")
        func progress() async throws {
            try makePackage(build: "echo '[1/20] Compiling'; echo '[15/20] Linking'")
            let terminal = try PseudoTerminal(columns: 80)
            let tour = try await start(on: terminal)
            #expect(try await tour.wait() == 7)
            let shown = terminal.read()
            #expect(shown.contains("\rtour: building, step 1 of 20, ") == false)
            #expect(shown.contains("\r\u{1B}[Ktour: building, step 1 of 20, "))
            #expect(shown.contains("\r\u{1B}[Ktour: building, step 15 of 20, "))
            let lines = ScreenText(shown).lines
            #expect(lines.count == 4)
            #expect(lines[0] == "setup" && lines[1].hasPrefix("tour: built in "))
        }

        @Test("Ctrl-C ends the build and the script with a word")
        func interrupt() async throws {
            try makePackage(
                build:
                    "echo '[1/2] Compiling'; trap 'echo stopped >build; exit 1' INT; while :; do sleep 0.05; done"
            )
            let terminal = try PseudoTerminal(columns: 80)
            let tour = try await start(on: terminal)
            var shown = await terminal.read(until: "step 1 of 2")
            terminal.press("\u{3}")
            #expect(try await tour.wait() == 130)
            shown += terminal.read()
            #expect(ScreenText(shown).lines == ["setup", "interrupted", ""])
        }

        private func start(on terminal: PseudoTerminal) async throws -> TourProcess {
            try await TourProcess.start(
                [], on: terminal, inForeground: true, in: directory, environment: ["PATH": path],
                program: directory.path(of: "scripts/tour"))
        }
    }
}
