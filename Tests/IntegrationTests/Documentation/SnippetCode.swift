/// The code of a snippet in two parts: what it declares for the whole article, and what it does.
///
/// A declaration begins in the first column. Both parts have the lines of the article, with their
/// numbers.
struct SnippetCode {
    private(set) var declarations: [String] = []
    private(set) var statements: [String] = []
    /// The types and functions that it declares.
    private(set) var names: Set<String> = []
    private let snippet: Snippet

    init(_ snippet: Snippet) {
        self.snippet = snippet
        var isDeclaration = false
        for line in snippet.lines {
            let isImport = Snippet.isImport(line)
            var code = isImport ? "" : line
            if !isDeclaration, let match = line.prefixMatch(of: Self.declaration) {
                isDeclaration = true
                names.insert(String(match.name))
                // Another article can declare the same.
                if match.access == nil, match.keyword != "extension" {
                    code = "fileprivate " + code
                }
            }
            declarations.append(isDeclaration ? code : "")
            statements.append(isDeclaration ? "" : code)
            if isDeclaration { isDeclaration = !Self.isEnd(line) }
        }
    }

    /// A computed property, since regexes are not `Sendable`.
    private static var declaration:
        Regex<(Substring, access: Substring?, keyword: Substring, name: Substring)>
    {
        #/(?<access>public |private |fileprivate )?(?:final |indirect )*(?<keyword>struct|class|enum|protocol|extension|actor|func) (?<name>[A-Za-z0-9_]+)/#
    }

    /// Whether a line ends a declaration: a brace in the first column, or a whole declaration.
    private static func isEnd(_ line: String) -> Bool {
        guard !line.hasPrefix(" ") else { return false }
        if line.hasPrefix("}") { return true }
        let opening = line.count { $0 == "{" }
        return opening > 0 && opening == line.count { $0 == "}" }
    }

    var declarationText: String { numbered(declarations) }

    /// The statements as a function.
    func function(named name: String) -> String {
        let effects = snippet.text.contains("await ") ? "async throws" : "throws"
        return "fileprivate func \(name)() \(effects) {\n\(numbered(statements))}\n"
    }

    private func numbered(_ lines: [String]) -> String {
        let text = lines.map { $0 + "\n" }.joined()
        guard !text.allSatisfy(\.isNewline) else { return "" }
        return "#sourceLocation(file: \"\(snippet.file)\", line: \(snippet.line))\n"
            + "\(text)#sourceLocation()\n"
    }
}
