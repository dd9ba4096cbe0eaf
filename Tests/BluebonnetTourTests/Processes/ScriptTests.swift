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
            for name in ["scripts", "bin", "elsewhere"] {
                try files.createDirectory(
                    atPath: directory.path(of: name), withIntermediateDirectories: true)
            }
            try files.copyItem(
                at: PackageDirectory.url(of: "scripts/tour"), to: directory.file("scripts/tour"))
            let swift = """
                #!/bin/sh
                case "$*" in
                *--show-bin-path) echo '\(directory.path(of: "bin"))'; exit ;;
                esac
                \(build)
                """
            try write(swift, to: "bin/swift")
            try write("#!/bin/sh\necho setup", to: "scripts/setup")
            for program in ["BluebonnetTour", "BluebonnetServe"] {
                try write("#!/bin/sh\necho \(program) \"$@\"; exit 7", to: "bin/\(program)")
            }
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

        @Test("it prints its usage before anything is built")
        func usage() async throws {
            try makePackage(build: "echo built >&2; exit 1")
            for option in ["-h", "--help"] {
                let lines = try await run("\"$script\" \(option) 2>&1")
                #expect(lines.first?.contains("scripts/tour [--serve [PORT]]") == true)
                #expect(!lines.contains("built") && !lines.contains("setup"))
                #expect(lines.allSatisfy { $0.count <= 80 && !$0.hasPrefix("#") })
            }
        }

        @Test("it builds, and only the program writes to standard output")
        func build() async throws {
            try makePackage(build: "echo '[1/2] Compiling'; echo warning >&2")
            let lines = try await run("\"$script\" --serve 'a b' 2>errors; echo $?; cat errors")
            #expect(
                lines == [
                    "BluebonnetServe a b", "7", "setup", "tour: compiling", "[1/2] Compiling",
                    "warning",
                ])
        }

        @Test("what follows -- is for the build, and what precedes it for the program")
        func options() async throws {
            try makePackage(build: "echo \"$*\"")
            let lines = try await run("\"$script\" --serve 80 -- -c release 2>errors; cat errors")
            #expect(lines.first == "BluebonnetServe 80")
            #expect(lines.last == "build -c release --product BluebonnetServe")
        }

        @Test("a build that fails is shown on standard error")
        func failure() async throws {
            try makePackage(build: "echo '[1/2] Compiling'; echo 'a.swift: error' >&2; exit 3")
            let lines = try await run("\"$script\" 2>errors; echo $?; cat errors")
            #expect(
                lines == [
                    "3", "setup", "tour: compiling", "[1/2] Compiling", "a.swift: error",
                ])
        }

        @Test("Ctrl-C ends the build and the script")
        func interrupt() async throws {
            try makePackage(
                build:
                    "trap 'echo stopped; exit 130' INT; echo building; while :; do sleep 0.05; done"
            )
            let terminal = try PseudoTerminal()
            let tour = try await start(on: terminal)
            var shown = await terminal.read(until: "building")
            terminal.press("\u{3}")
            #expect(try await tour.wait() == 130)
            shown += terminal.read()
            #expect(
                ScreenText(shown).lines == [
                    "setup", "tour: compiling", "building", "^Cstopped", "",
                ])
        }

        private func start(on terminal: PseudoTerminal) async throws -> TourProcess {
            try await TourProcess.start(
                [], on: terminal, inForeground: true, in: directory, environment: ["PATH": path],
                program: directory.path(of: "scripts/tour"))
        }
    }
}
