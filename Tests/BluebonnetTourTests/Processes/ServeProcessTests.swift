import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTourServer
import Foundation
import Testing

@testable import BluebonnetServe

@Suite("The tour's server as a program", .timeLimit(.minutes(5)))
struct ServeProcessTests {
    @Test("the server alone says where it listens, answers, and ends with SIGTERM")
    func serve() async throws {
        let terminal = try PseudoTerminal()
        let tour = try await TourProcess.start(
            ["0"], on: terminal, inForeground: false, program: TourProcess.serveProgram)
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
        for (command, _) in TourRoutes.examples {
            let run = try await ShellRun("url=\(server.baseURL); \(command)", in: directory)
            // The status of a timeout.
            #expect(run.status == (command.contains("-m") ? 28 : 0), "\(command): \(run.errors)")
            let isEmpty = command.contains("-m") || command.contains("-o")
            #expect(run.output.isEmpty == isEmpty, "\(command)")
        }
        #expect(directory.data(of: "big.bin") == TourRoutes.content(TourRoutes.bigCount))
    }

    @Test("the server alone does not start at a port that is in use, nor with a bad one")
    func serveInVain() async throws {
        let server = try FixtureServer()
        defer { server.stop() }
        let busy = try await TourProcess.start(
            program: TourProcess.serveProgram, ["\(server.port)"])
        #expect(try await busy.wait() == 1)
        #expect(busy.output == "")
        #expect(busy.errors.contains("port \(server.port): it is in use; try --serve 0"))
    }

    @Test("without a port, it is the one that README's first program asks")
    func usualPort() throws {
        #expect(ServeCommand.port(of: []) == 8080)
        #expect(ServeCommand.port(of: ["65535"]) == 65_535)
        let readme = try String(contentsOf: PackageDirectory.url(of: "README.md"), encoding: .utf8)
        #expect(readme.contains("baseURL: URL(string: \"http://127.0.0.1:8080/\")"))
    }

    @Test("a bad port is refused", arguments: [["65536"], ["-1"], ["http"], [""], ["80", "81"]])
    func badPort(arguments: [String]) async throws {
        let tour = try await TourProcess.start(program: TourProcess.serveProgram, arguments)
        #expect(try await tour.wait() == 2)
        #expect(
            tour.errors.hasPrefix("tour: --serve takes a port from 0 to 65535 and nothing else"))
    }
}
