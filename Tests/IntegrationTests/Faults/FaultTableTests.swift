import Foundation
import Testing

@Suite("The documentation of faults")
struct FaultTableTests {
    @Test("is what the scenarios say")
    func table() throws {
        let wanted = FaultTable.article
        if ProcessInfo.processInfo.environment["BLUEBONNET_WRITE_FAULTS"] != nil {
            try Data(wanted.utf8).write(to: FaultTable.file)
        }
        let written = (try? String(contentsOf: FaultTable.file, encoding: .utf8)) ?? ""
        let isSame = written == wanted
        #expect(
            isSame,
            "run BLUEBONNET_WRITE_FAULTS=1 scripts/test --filter FaultTableTests to write it anew")
    }

    @Test("has every case once, and no row of the matrix is missing")
    func rows() {
        let identifiers = Fault.all.map(\.id) + CoveredFault.all.map(\.id)
        #expect(Set(identifiers).count == identifiers.count, "\(identifiers)")
        let numbers = Set(identifiers.compactMap { Int($0.prefix { $0.isNumber }) })
        let missing = (1...95).filter { !numbers.contains($0) }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test("names tests that exist")
    func tests() throws {
        let folder = FaultTable.file.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Tests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        for place in CoveredFault.all.flatMap(\.tests) {
            let texts = files.filter { $0.hasSuffix("/\(place.suite).swift") }.map { file in
                let url = folder.appendingPathComponent(file)
                return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
            }
            let isThere = texts.contains { $0.contains("\"\(place.sentence)\"") }
            #expect(isThere, "\(place.suite): \(place.sentence)")
        }
    }
}
