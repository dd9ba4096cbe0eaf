import BluebonnetTestSupport
import Foundation

/// A block of Swift in a Markdown file.
struct Snippet: Sendable {
    /// The name of the file.
    var file: String
    /// The number of the block's first line in the file.
    var line: Int
    var lines: [String]

    /// Those of README.md and of every article, but for the code of the one about tests, which runs as
    /// tests of `BluebonnetTesting`.
    static func ofDocumentation() throws -> [Snippet] {
        let articles = PackageDirectory.url(of: "Sources/Bluebonnet/Documentation.docc")
        let files = try FileManager.default.contentsOfDirectory(
            at: articles, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
        return try ([readme] + files).flatMap { file in
            all(of: try String(contentsOf: file, encoding: .utf8), in: file.lastPathComponent)
        }.filter { $0.isManifest || $0.file != "TestingYourCode.md" }
    }

    static let readme = PackageDirectory.url(of: "README.md")

    /// Those of a text.
    static func all(of text: String, in file: String) -> [Snippet] {
        var snippets: [Snippet] = []
        var isInside = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line == "```swift" {
                isInside = true
                snippets.append(Snippet(file: file, line: index + 2, lines: []))
            } else if line.hasPrefix("```") {
                isInside = false
            } else if isInside {
                snippets[snippets.count - 1].lines.append(line)
            }
        }
        return snippets
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    var imports: Set<String> { Set(lines.filter(Self.isImport)) }

    /// Whether it is a `Package.swift`.
    var isManifest: Bool { imports.contains("import PackageDescription") }

    /// The snippet as one declaration of a file with its imports, its lines numbered as in the article.
    func declaration(named name: String) -> String {
        let body = lines.map { Self.isImport($0) ? "\n" : $0 + "\n" }.joined()
        let numbered =
            "#sourceLocation(file: \"\(file)\", line: \(line))\n\(body)#sourceLocation()\n"
        let isOfFile = lines.contains { line in
            ["extension ", "protocol "].contains { line.hasPrefix($0) }
        }
        if isOfFile { return numbered }
        let effects = text.contains("await ") ? "async throws" : "throws"
        return "func \(name)() \(effects) {\n\(numbered)}\n"
    }

    private static func isImport(_ line: String) -> Bool { line.hasPrefix("import ") }
}
