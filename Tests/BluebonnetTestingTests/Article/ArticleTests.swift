import BluebonnetTestSupport
import Foundation
import Testing

@Suite("The article about testing")
struct ArticleTests {
    private let article: String
    private let sources: [String]

    init() throws {
        article = try Self.text("Sources/Bluebonnet/Documentation.docc/Testing.md")
        let folder = "Tests/BluebonnetTestingTests/Article"
        sources = try ["UserService", "UserServiceTests"].map {
            try Self.text("\(folder)/\($0).swift")
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: PackageDirectory.url(of: path), encoding: .utf8)
    }

    /// The texts between the marks of code, without a `Package.swift`, which is compiled elsewhere.
    private var blocks: [String] {
        article.components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```\n").first }
            .filter { !$0.contains("import PackageDescription") }
    }

    private func isIndented(_ block: String, in source: String) -> Bool {
        let lines = block.components(separatedBy: "\n").map { $0.isEmpty ? "" : "    \($0)" }
        return source.contains("\n\(lines.joined(separator: "\n"))\n")
    }

    @Test("each of its blocks is code that runs in this suite")
    func blocksAreCode() {
        #expect(blocks.count > 10)
        for block in blocks {
            let isThere = sources.contains { source in
                "\n\(source)".contains("\n\(block)\n") || isIndented(block, in: source)
            }
            #expect(isThere, "\(block)")
        }
    }

    @Test("each test of its service is in it, and has at most ten lines")
    func testsAreInArticle() throws {
        let tests = sources.joined().components(separatedBy: "    @Test(").dropFirst()
            .compactMap { $0.components(separatedBy: "\n    }\n").first }
        #expect(tests.count > 10)
        for test in tests {
            let lines = test.components(separatedBy: "\n")
            // The name and the declaration come before the body.
            #expect(lines.count - 2 <= 10, "\(test)")
            #expect(blocks.contains { $0.contains("@Test(\(lines[0])\n") }, "\(lines[0])")
        }
    }
}
