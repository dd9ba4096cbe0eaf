import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Snippets of README and articles", .timeLimit(.minutes(5)))
struct SnippetTests {
    /// What happened to a run of some snippets, a line for each error.
    private func errors(of snippets: [Snippet]) throws -> [String] {
        let server = try SnippetServer()
        defer { server.stop() }
        let program = try SnippetProgram(snippets, server: server)
        let compiler = try SnippetCompiler()
        let (path, diagnostics) = try compiler.compile(program.sources)
        guard let path, diagnostics.isEmpty else { return diagnostics }
        return try Set(snippets.map(\.file)).sorted().flatMap { article in
            let files = try ServerDirectory(for: "article")
            let line = "'\(path)' '\(article)' '\(server.baseURL)' 2>errors || echo failed >>errors"
            let output = server.articleText(
                String(decoding: try SystemCommand(shell: line, in: files).output(), as: UTF8.self))
            let lines = server.articleText(files.text(of: "errors"))
                .split(separator: "\n").map(String.init)
            let errors = lines.filter { $0.contains(": error: ") }
            return errors + (errors.isEmpty && lines.last == "failed" ? lines.suffix(20) : [])
                + differences(of: output, from: snippets.filter { $0.file == article })
        }
    }

    /// The snippets that print something else than the article says.
    private func differences(of output: String, from snippets: [Snippet]) -> [String] {
        let parts = output.split(separator: "\u{1E}").map {
            $0.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        }
        return snippets.filter { $0.output != nil && $0.run != .no }.compactMap { snippet in
            let printed = parts.first { $0[0] == "\(snippet.line)" }?.last.map(String.init)
            guard printed != snippet.output else { return nil }
            return "\(snippet.file):\(snippet.line): error: it prints\n\(printed ?? "nothing")"
        }
    }

    @Test("each compiles without an error or a warning, and runs against a server to its end")
    func run() throws {
        // One article alone, while it is being written.
        let article = ProcessInfo.processInfo.environment["BLUEBONNET_ARTICLE"]
        let snippets = try Snippet.ofDocumentation().filter {
            !$0.isManifest && (article == nil || $0.file == article)
        }
        #expect(article != nil || Set(snippets.map(\.file)).count >= 10)
        for error in try errors(of: snippets) { Issue.record("\(error)") }
    }

    @Test(
        "the one that handles SIGTERM and Ctrl-C ends its program, also as top-level code",
        arguments: [SIGTERM, SIGINT])
    func termination(by signal: Int32) throws {
        let snippet = try #require(
            try Snippet.ofDocumentation().first { $0.text.contains("[SIGTERM, SIGINT]") })
        // Top-level code runs on the main actor, and the handler does not.
        let text = """
            import Bluebonnet
            let api = HTTPSessionManager()
            \(snippet.text)
            for _ in 0..<600 {
                // Ignored until the source is registered.
                kill(getpid(), \(signal))
                try await Task.sleep(for: .milliseconds(100))
            }
            exit(1)
            """
        let compiler = try SnippetCompiler()
        let (path, diagnostics) = try compiler.compile(["main.swift": text])
        #expect(diagnostics == [])
        // Throws unless the status is 0.
        _ = try SystemCommand(try #require(path), []).output()
    }

    @Test("the one that handles Ctrl-C cancels its download and exits with 130")
    func interruption() throws {
        let snippets = try Snippet.ofDocumentation().filter { $0.file == "Downloads.md" }
        let handler = try #require(snippets.first { $0.text.contains("signal(SIGINT") })
        let fetch = try #require(
            snippets.map(SnippetCode.init).first { $0.names.contains("fetch") })
        let server = try FixtureServer(routes: ["/archive.zip": { _ in .script([.hold]) }])
        let text = """
            import Bluebonnet
            let api = HTTPSessionManager(baseURL: URL(string: "\(server.baseURL)"))
            let directory = FileManager.default.temporaryDirectory
            \(fetch.declarationText)
            signal(SIGINT, SIG_IGN)
            DispatchQueue.global().async {
                for _ in 0..<600 {
                    kill(getpid(), SIGINT)
                    usleep(100_000)
                }
            }
            \(handler.text)
            """
        let compiler = try SnippetCompiler()
        let (path, diagnostics) = try compiler.compile(["main.swift": text])
        #expect(diagnostics == [])
        let line = "'\(try #require(path))' 2>&1; test $? = 130"
        _ = try SystemCommand(shell: line).output()
    }

    @Test("each package manifest compiles")
    func manifests() throws {
        let manifests = try Snippet.ofDocumentation().filter(\.isManifest)
        #expect(!manifests.isEmpty)
        for diagnostic in try manifests.flatMap({ try SnippetCompiler().check(manifest: $0) }) {
            Issue.record("\(diagnostic)")
        }
    }

    @Test("one that does not compile is reported with its article and line")
    func placesOfDiagnostics() throws {
        let snippets = try Snippet.all(
            of: """
                ```swift
                import Synchronization

                api.get("users") { response in … }
                ```

                ```console
                $ nonsense
                ```

                ```swift
                extension User { var age: Int { years } }
                let count = 1
                ```
                """, in: "Article.md")
        for (snippet, line) in zip(snippets, [4, 12]) {
            let errors = try errors(of: [snippet])
            #expect(errors.first?.hasPrefix("Article.md:\(line):") == true, "\(errors)")
        }
        let manifest = Snippet(
            file: "Article.md", line: 7,
            lines: ["import PackageDescription", #"let package = Package(named: "a")"#])
        let errors = try SnippetCompiler().check(manifest: manifest)
        #expect(errors.first?.hasPrefix("Article.md:8:") == true, "\(errors)")
    }

    @Test("one that throws, and one with a task that fails, is reported unless a comment says so")
    func failures() throws {
        let text = """
            ```swift
            struct Missing: Error {}
            func user() throws -> User { throw Missing() }
            ```

            ```swift
            print(try user())
            ```

            ```swift
            api.get("missing") { response in print(response) }
            ```

            <!-- run: tasks fail -->

            ```swift
            api.get("missing") { response in print(response) }
            ```

            <!-- run: no -->
            ```swift
            print(try user())
            ```
            """
        let errors = try errors(of: try Snippet.all(of: text, in: "Article.md"))
        #expect(errors.count == 2, "\(errors)")
        #expect(errors.first?.hasPrefix("Article.md:7: error: the snippet throws: Missing") == true)
        #expect(
            errors.last?.hasPrefix("Article.md:11: error: a task fails: the status 404") == true)
    }

    @Test("one that prints something else than the text below it is reported with its output")
    func outputs() throws {
        let text = """
            ```swift
            print(api.baseURL?.path ?? "", "and", 1)
            ```

            ```text
            /v1 and 1
            ```

            ```swift
            print("one")
            print("two")
            ```

            ```text
            one
            ```
            """
        let errors = try errors(of: try Snippet.all(of: text, in: "Article.md"))
        #expect(errors == ["Article.md:10: error: it prints\none\ntwo\n"])
    }

    @Test("a comment that is no way to run is an error")
    func unknownComment() {
        #expect(throws: ServerFailure.self) {
            try Snippet.all(of: "<!-- run: sometimes -->\n```swift\n```", in: "Article.md")
        }
    }
}
