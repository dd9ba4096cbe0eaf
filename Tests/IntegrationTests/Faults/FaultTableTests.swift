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
        for place in CoveredFault.all.flatMap(\.tests) {
            let file = folder.appendingPathComponent(place.file)
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            #expect(text.contains("\"\(place.sentence)\""), "\(place.file): \(place.sentence)")
        }
    }
}
