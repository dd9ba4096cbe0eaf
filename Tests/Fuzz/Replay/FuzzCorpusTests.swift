import BluebonnetTestSupport
import Foundation
import Testing

@Suite("The corpus of the fuzzer")
struct FuzzCorpusTests {
    private static let corpus = PackageDirectory.url(of: "Tests/Fuzz/Corpus")

    @Test("every input keeps the property of its target", arguments: FuzzTarget.allCases)
    func replay(target: FuzzTarget) throws {
        let folder = Self.corpus.appendingPathComponent(target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 20)
        for file in files {
            // `Data(contentsOf:)` leaks memory if the file is empty.
            let data = try FileHandle(forReadingFrom: file).readToEnd()
            let bytes = [UInt8](data ?? Data())
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.check(bytes) }
        }
    }
}
