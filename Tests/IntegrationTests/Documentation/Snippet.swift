import BluebonnetTestSupport
import Foundation

/// A block of Swift in a Markdown file.
struct Snippet: Sendable {
    /// What happens when the block is run, as a comment above the block says.
    enum Run: String {
        /// It runs to its end, and each task that it started succeeds.
        case succeeds
        /// It runs to its end, and tasks can fail: `<!-- run: tasks fail -->`, or a block of text with
        /// the output below it.
        case tasksFail = "run: tasks fail"
        /// It is only compiled: `<!-- run: no -->`.
        case no = "run: no"
        /// That script compiles it, because it needs other packages: `<!-- run: scripts/check-ecosystem
        /// -->`.
        case elsewhere = "run: scripts/check-ecosystem"
    }

    /// The name of the file.
    var file: String
    /// The module in whose catalog the article is, which its code imports.
    var module = "Bluebonnet"
    /// The number of the block's first line in the file.
    var line: Int
    var lines: [String]
    var run = Run.succeeds
    /// The file that the block is the contents of, in a package that a reader creates:
    /// `<!-- file: Package.swift -->`.
    var path: String?
    /// What it prints, if a block of text follows it.
    var output: String?

    /// The articles that the site is made of, and README.md.
    static func documents() throws -> [(file: URL, module: String)] {
        let modules = [
            "Bluebonnet", "BluebonnetCache", "BluebonnetChain", "BluebonnetSQLiteCache",
            "BluebonnetTargets", "BluebonnetTargetsTesting",
        ]
        let articles = try modules.flatMap { module in
            try FileManager.default.contentsOfDirectory(
                at: PackageDirectory.url(of: "Sources/\(module)/Documentation.docc"),
                includingPropertiesForKeys: nil
            ).filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }.map { ($0, module) }
        }
        return [(readme, "Bluebonnet")] + articles
    }

    static let readme = PackageDirectory.url(of: "README.md")

    /// The blocks of README.md and of every article.
    ///
    /// `scripts/check start` builds and runs the blocks that are files. The code of the article about
    /// tests runs as tests of `BluebonnetTesting`.
    static func ofDocumentation() throws -> [Snippet] {
        try documents().flatMap { file, module in
            try all(of: try String(contentsOf: file, encoding: .utf8), in: file.lastPathComponent)
                .map {
                    var snippet = $0
                    snippet.module = module
                    return snippet
                }
        }.filter {
            $0.path == nil && $0.run != .elsewhere && ($0.isManifest || $0.file != "Testing.md")
        }
    }

    /// Returns the blocks of a text.
    ///
    /// - Throws: ``ServerFailure`` for a comment that is no ``Run``.
    static func all(of text: String, in file: String) throws -> [Snippet] {
        var snippets: [Snippet] = []
        var isInside = false
        var isOutput = false
        /// Whether nothing but empty lines came after the last block of Swift.
        var followsSnippet = false
        var run = Run.succeeds
        var path: String?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line == "```swift" {
                isInside = true
                snippets.append(
                    Snippet(file: file, line: index + 2, lines: [], run: run, path: path))
            } else if line == "```text", followsSnippet {
                isOutput = true
                snippets[snippets.count - 1].output = ""
                if snippets[snippets.count - 1].run == .succeeds {
                    snippets[snippets.count - 1].run = .tasksFail
                }
            } else if line.hasPrefix("```") {
                followsSnippet = isInside
                (isInside, isOutput) = (false, false)
            } else if isInside {
                snippets[snippets.count - 1].lines.append(line)
            } else if isOutput {
                snippets[snippets.count - 1].output? += line + "\n"
            } else if !line.isEmpty {
                followsSnippet = false
            }
            if let comment = line.wholeMatch(of: #/<!-- (run: .*) -->/#)?.output.1 {
                guard let expected = Run(rawValue: String(comment)) else {
                    throw ServerFailure("\(file):\(index + 1): \(comment) is not a way to run")
                }
                run = expected
            } else if let file = line.wholeMatch(of: #/<!-- file: (.*) -->/#)?.output.1 {
                path = String(file)
            } else if !line.isEmpty {
                (run, path) = (.succeeds, nil)
            }
        }
        return snippets
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    var imports: Set<String> { Set(lines.filter(Self.isImport)) }

    static func isImport(_ line: String) -> Bool { line.hasPrefix("import ") }

    /// Whether it is a `Package.swift`.
    var isManifest: Bool { imports.contains("import PackageDescription") }
}
