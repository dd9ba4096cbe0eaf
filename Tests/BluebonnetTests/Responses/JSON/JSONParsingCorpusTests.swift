import BluebonnetTestSupport
import Foundation
import Testing

@testable import Bluebonnet

@Suite(
    "The corpus of JSON texts",
    .enabled(
        if: JSONCorpus.isThere,
        "needs json-parsing, in ../shared/data or in the folder that BLUEBONNET_DATA names"
    )
)
struct JSONParsingCorpusTests {
    private let serializer = JSONResponseSerializer(allowsFragments: true)

    @Test("every text that is JSON is read (y_)")
    func accepted() throws {
        let texts = try JSONCorpus.texts("y_")
        #expect(texts.count >= 95)
        for (name, text) in texts { #expect(refusal(serializer, text) == nil, "\(name)") }
    }

    @Test("every text that is no JSON is refused, with a place within it (n_)")
    func refused() throws {
        let texts = try JSONCorpus.texts("n_")
        #expect(texts.count >= 188)
        for (name, text) in texts {
            // The reader below the serializer has no rule for empty bodies, of which there are two.
            let error = #expect(throws: JSONResponseSerializer.ParseError.self, "\(name)") {
                try JSONReader(serializer).value(of: text)
            }
            if let offset = error?.byteOffset { #expect((0...text.count).contains(offset)) }
            let isEmpty = text.isEmpty || text == Data(" ".utf8)
            #expect((refusal(serializer, text) == nil) == isEmpty, "\(name)")
        }
    }

    @Test("every text that may be read or refused does no harm (i_)")
    func survived() throws {
        let texts = try JSONCorpus.texts("i_")
        #expect(texts.count >= 35)
        for (_, text) in texts { _ = refusal(serializer, text) }
    }
}

/// The folder of texts, beside the package or where the environment says.
private enum JSONCorpus {
    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// The texts whose names begin so.
    static func texts(_ prefix: String) throws -> [(name: String, text: Data)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) }
            .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    }

    private static var folder: URL {
        let named = ProcessInfo.processInfo.environment["BLUEBONNET_DATA"]
        let shared = named.map { URL(filePath: $0) } ?? PackageDirectory.url(of: "../shared/data")
        return shared.appending(path: "json-parsing")
    }
}
