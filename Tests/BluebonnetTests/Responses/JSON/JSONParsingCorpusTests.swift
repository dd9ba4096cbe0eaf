import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite(
    "The JSON test suite",
    .enabled(
        if: JSONCorpus.isThere,
        "needs json-parsing, in ../shared/data or in the folder that BLUEBONNET_DATA names"
    )
)
struct JSONParsingCorpusTests {
    private let serializer = JSONResponseSerializer(allowsFragments: true)

    @Test("every valid text is read (y_)")
    func accepted() throws {
        let texts = try JSONCorpus.texts("y_")
        #expect(texts.count >= 95)
        for (name, text) in texts { #expect(refusal(serializer, text) == nil, "\(name)") }
    }

    @Test("every invalid text is refused with a position in it (n_)")
    func refused() throws {
        let texts = try JSONCorpus.texts("n_")
        #expect(texts.count >= 188)
        for (name, text) in texts {
            // The suite has two empty texts, and the reader has no special case for empty bodies.
            let error = #expect(throws: JSONResponseSerializer.ParseError.self, "\(name)") {
                try JSONReader(serializer).value(of: text)
            }
            if let offset = error?.byteOffset { #expect((0...text.count).contains(offset)) }
            let isEmpty = text.isEmpty || text == Data(" ".utf8)
            #expect((refusal(serializer, text) == nil) == isEmpty, "\(name)")
        }
    }

    @Test("texts that can be read or refused do no harm (i_)")
    func survived() throws {
        let texts = try JSONCorpus.texts("i_")
        #expect(texts.count >= 35)
        for (_, text) in texts { _ = refusal(serializer, text) }
    }
}

/// The folder of texts, next to the package or from the environment.
private enum JSONCorpus {
    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// Returns the texts whose names have a prefix.
    static func texts(_ prefix: String) throws -> [(name: String, text: Data)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) }
            .map { ($0, try FileContents.read(folder.appending(path: $0).path)) }
    }

    private static var folder: URL {
        let named = ProcessInfo.processInfo.environment["BLUEBONNET_DATA"]
        let shared = named.map { URL(filePath: $0) } ?? PackageDirectory.url(of: "../shared/data")
        return shared.appending(path: "json-parsing")
    }
}
