import Foundation

/// Inputs from elsewhere on which the library failed once, one file a kind, in
/// `Tests/IntegrationTests/Outside`.
package enum OutsideInputs {
    /// The lines of a file, but for those that begin with `# `; empty where it cannot be read.
    ///
    /// `\r`, `\n`, `\t`, `\0` and `\\` stand for what they do in Swift.
    package static func lines(of name: String) -> [String] {
        let file = PackageDirectory.url(of: "Tests/IntegrationTests/Outside/\(name).txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map(unescaped)
    }

    private static func unescaped(_ line: Substring) -> String {
        var text = ""
        var isEscaped = false
        for character in line {
            if isEscaped {
                text.append(escapes[character] ?? character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    private static let escapes: [Character: Character] = [
        "r": "\r", "n": "\n", "t": "\t", "0": "\0",
    ]
}
