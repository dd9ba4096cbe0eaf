import Testing

@Suite("Snippets of README and articles", .timeLimit(.minutes(5)))
struct SnippetTests {
    @Test("each compiles without an error and without a warning")
    func compile() throws {
        let snippets = try Snippet.ofDocumentation()
        #expect(Set(snippets.map(\.file)).count >= 10)
        for diagnostic in try SnippetCompiler().check(snippets) {
            Issue.record("\(diagnostic)")
        }
    }

    @Test("one that does not compile is told with its article and line")
    func places() throws {
        let snippets = Snippet.all(
            of: """
                ```swift
                import Synchronization
                import Bluebonnet

                api.get("users") { response in … }
                ```

                Text.

                ```swift
                extension User { var age: Int { years } }
                let count = 1
                ```

                ```console
                $ nonsense
                ```

                ```swift
                import PackageDescription
                let package = Package(named: "a")
                ```
                """, in: "Article.md")
        for (snippet, line) in zip(snippets, [5, 11, 21]) {
            let diagnostics = try SnippetCompiler().check([snippet])
            #expect(diagnostics.first?.hasPrefix("Article.md:\(line):") == true, "\(diagnostics)")
        }
        #expect(snippets.count == 3)
    }

    @Test("one that is fine where another needs an import does not get that import")
    func imports() throws {
        let use = "print(Atomic(0).load(ordering: .relaxed))"
        let snippets = [
            Snippet(file: "With.md", line: 1, lines: ["import Synchronization", use]),
            Snippet(file: "Without.md", line: 1, lines: [use]),
        ]
        let diagnostics = try SnippetCompiler().check(snippets)
        let areOfOne = diagnostics.allSatisfy { $0.hasPrefix("Without.md:1:") }
        #expect(!diagnostics.isEmpty && areOfOne, "\(diagnostics)")
    }
}
