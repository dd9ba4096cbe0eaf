import BluebonnetTestSupport
import Foundation

/// The sources of a program that runs the snippets of an article against a server.
///
/// Each article is a file. What its snippets declare is visible in the whole article, and each
/// snippet's statements are a function.
struct SnippetProgram {
    /// The names and texts of the sources.
    let sources: [String: String]

    /// Creates the sources for the snippets of any number of articles.
    ///
    /// In place of the hosts of the articles, such as `https://api.example.com`, they have a server.
    init(_ snippets: [Snippet], server: SnippetServer) throws {
        var sources: [String: String] = [:]
        var list = ""
        let articles = Dictionary(grouping: snippets, by: \.file).sorted { $0.key < $1.key }
        for (index, (name, snippets)) in articles.enumerated() {
            sources["article\(index).swift"] = server.localText(
                Self.source(of: snippets, named: "article\(index)"))
            list += "    \"\(name)\": article\(index),\n"
        }
        sources["articles.swift"] =
            "let articles: [String: [SnippetFunction]] = [\(list.isEmpty ? ":" : "\n\(list)")]\n"
        let folder = PackageDirectory.url(of: "Tests/IntegrationTests/Documentation/Program")
        for name in ["Scene.swift", "main.swift"] {
            sources[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        self.sources = sources
    }

    private static func source(of snippets: [Snippet], named name: String) -> String {
        let codes = snippets.map(SnippetCode.init)
        let imports = snippets.reduce(into: [] as Set) {
            $0.formUnion($1.imports.union(["import \($1.module)"]))
        }
        var parts = [imports.sorted().joined(separator: "\n") + "\n"]
        if !codes.contains(where: { $0.names.contains("User") }) { parts.append(user) }
        var functions = ""
        for (index, (snippet, code)) in zip(snippets, codes).enumerated() {
            parts.append(code.declarationText)
            parts.append(code.function(named: "snippet\(index)"))
            functions += """
                    SnippetFunction(
                        file: "\(snippet.file)", line: \(snippet.line), run: "\(snippet.run)",
                        call: snippet\(index)),

                """
        }
        parts.append("let \(name): [SnippetFunction] = [\n\(functions)]\n")
        return parts.joined(separator: "\n")
    }

    /// What articles take for granted unless they declare it.
    private static let user = """
        fileprivate struct User: Codable, Sendable {
            var name: String
        }

        """
}
