import Foundation
import Testing

@Suite("The article about servers")
struct ArticleTests {
    @Test("its code compiles, except for the line that needs a generated client")
    func code() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let root = folder.appending(path: "../../..")
        let article = try String(
            contentsOf: root.appending(
                path: "Sources/Bluebonnet/Documentation.docc/InAServer.md"), encoding: .utf8)
        let compiled = try String(
            contentsOf: folder.appending(path: "Article.swift"), encoding: .utf8)
        let known = Set(compiled.split(separator: "\n").map { $0.drop(while: \.isWhitespace) })
        let blocks = article.matches(
            of: /<!-- run: scripts\/check-ecosystem -->\n```swift\n(?<code>[^`]*)```/)
        #expect(blocks.count == 4)
        for line in blocks.flatMap({ $0.code.split(separator: "\n") }) {
            let line = line.drop(while: \.isWhitespace)
            #expect(known.contains(line) || line.hasPrefix("let client = Client("), "\(line)")
        }
    }
}
