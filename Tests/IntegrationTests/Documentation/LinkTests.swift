import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Links of the documents outside of the site")
struct LinkTests {
    @Test(
        "each leads to a file of the package, and to a heading of it",
        arguments: ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Examples/README.md"])
    func targets(path: String) throws {
        let file = PackageDirectory.url(of: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: #/\]\(([^)\s]+)\)/#) {
            let link = String(match.output.1)
            guard !link.hasPrefix("https://") else { continue }
            let parts = link.split(separator: "#", omittingEmptySubsequences: false)
            let target =
                parts[0].isEmpty
                ? file : file.deletingLastPathComponent().appending(path: String(parts[0]))
            #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
            guard parts.count == 2 else { continue }
            let headings = try Self.headings(of: target)
            #expect(headings.contains(String(parts[1])), "\(link)")
        }
    }

    /// The names of a document's headings in links.
    private static func headings(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("#") }
            .map { line in
                line.drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
                    .replacing(" ", with: "-")
            }
    }
}
