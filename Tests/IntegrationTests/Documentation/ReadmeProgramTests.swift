import BluebonnetTestSupport
import Foundation
import Testing

@Suite("The README's program", .timeLimit(.minutes(5)))
struct ReadmeProgramTests {
    @Test("prints against the tour's server what README shows")
    func output() async throws {
        let readme = try String(contentsOf: Snippet.readme, encoding: .utf8)
        let sections = readme.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("A first program\n") })
        let program = try #require(Snippet.all(of: section, in: "README.md").first).text
        let console = try #require(
            section.firstMatch(of: #/```console\n\$ swift run garden\n([^`]*)```/#)
        ).output.1.description

        let port = try ReservedPort()
        let server = try await ServerProcess.start(
            SwiftCompiler.products.appending(path: "bluebonnet-tour").path,
            ["--serve", "\(port.number)"], in: try ServerDirectory(for: "tour"), ports: [port])
        defer { server.stop() }
        func here(_ text: String) -> String {
            text.replacingOccurrences(of: "http://127.0.0.1:8080", with: port.baseURL)
        }
        #expect(here(program) != program && here(console) != console)
        let compiler = try SnippetCompiler()
        let (compiled, diagnostics) = try compiler.compile(["main.swift": here(program)])
        let path = try #require(compiled, "\(diagnostics)")
        #expect(diagnostics == [])
        let output = try SystemCommand(path, []).output()
        #expect(String(decoding: output, as: UTF8.self) == here(console))
    }
}
