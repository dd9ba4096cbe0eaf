/// A statement that a newcomer writes first, in a function that throws.
struct FirstLine: Sendable {
    var code: String
    var isAsync: Bool
    /// What an error about it says; nil where any will do.
    var error: String?

    static func sync(_ code: String, error: String? = nil) -> Self {
        Self(code: code, isAsync: false, error: error)
    }

    static func async(_ code: String, error: String? = nil) -> Self {
        Self(code: code, isAsync: true, error: error)
    }

    /// What every line may use, besides an import.
    static let prelude = """

        struct User: Codable, Sendable { var id: Int; var name: String }
        enum Choice { case one, two }
        enum Tenant: TaskAttributeKey { static let defaultValue = "none" }
        let api = HTTPSessionManager(baseURL: URL(string: "https://x.example/"))
        let token = "t"; let n = 3; let o: Int? = nil
        let dict: [String: any Sendable] = ["a": 1]
        nonisolated(unsafe) let untyped: [String: Any] = ["a": 1]
        let user = User(id: 1, name: "n")
        let file = URL(fileURLWithPath: "/tmp/file")

        """

    /// A program of lines, each in a function of its own, and where each of them stands in it.
    static func program(
        _ lines: [FirstLine], importing module: String = "Bluebonnet"
    ) -> (text: String, places: [ClosedRange<Int>]) {
        var text = "import \(module)" + prelude
        var places: [ClosedRange<Int>] = []
        var line = text.split(separator: "\n", omittingEmptySubsequences: false).count
        for (number, entry) in lines.enumerated() {
            let head = "func line\(number)() \(entry.isAsync ? "async " : "")throws {\n"
            text += head + entry.code + "\n}\n"
            let height = entry.code.split(separator: "\n", omittingEmptySubsequences: false).count
            places.append(line + 1...line + height)
            line += height + 2
        }
        return (text, places)
    }
}
