import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("The version")
struct VersionTests {
    @Test(
        "it is the same in the code, in README, in the changelog, and in articles that print it",
        arguments: [
            ("README.md", "Version \(BluebonnetVersion.current)"),
            ("README.md", "from: \"\(BluebonnetVersion.current)\""),
            (
                "Sources/Bluebonnet/Documentation.docc/Bluebonnet.md",
                "from: \"\(BluebonnetVersion.current)\""
            ),
            ("CHANGELOG.md", "\n## [\(BluebonnetVersion.current)] - "),
            (
                "Sources/Bluebonnet/Documentation.docc/Monitoring.md",
                "Bluebonnet/\(BluebonnetVersion.current)"
            ),
        ])
    func places(path: String, text: String) throws {
        let document = try String(contentsOf: PackageDirectory.url(of: path), encoding: .utf8)
        #expect(document.contains(text))
    }

    @Test("the changelog has no released version above that of the code")
    func newest() throws {
        let changelog = try String(
            contentsOf: PackageDirectory.url(of: "CHANGELOG.md"), encoding: .utf8)
        let newest = changelog.firstMatch(of: #/\n## \[([0-9.]+)\]/#)?.output.1
        #expect(newest.map(String.init) == BluebonnetVersion.current)
    }

    @Test("each line of the changelog starts with New, Change, or Fix, and is one short sentence")
    func changes() throws {
        let changelog = try String(
            contentsOf: PackageDirectory.url(of: "CHANGELOG.md"), encoding: .utf8)
        let lines = changelog.split(separator: "\n").filter { $0.hasPrefix("-") }
        #expect(lines.count > 50)
        for line in lines {
            #expect(line.contains(#/^- (New|Change|Fix): .+\.$/#), "\(line)")
            #expect(line.split(separator: " ").count <= 25, "\(line)")
        }
    }
}
