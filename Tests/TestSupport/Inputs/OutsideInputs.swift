import Foundation

/// Inputs from outside sources that once made the library fail, in
/// `Tests/IntegrationTests/Outside`.
///
/// There is one file for each kind of input.
package enum OutsideInputs {
    /// Returns the lines of a file without those that begin with `# `, or none if it cannot be
    /// read.
    ///
    /// The escapes `\r`, `\n`, `\t`, `\0` and `\\` have the same meaning as in Swift.
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
