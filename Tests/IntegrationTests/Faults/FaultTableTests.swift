import Foundation
import Testing

@Suite("The documentation of faults")
struct FaultTableTests {
    @Test("matches the scenarios and their groups")
    func table() throws {
        let wanted = FaultTable.article
        if ProcessInfo.processInfo.environment["BLUEBONNET_WRITE_FAULTS"] != nil {
            try Data(wanted.utf8).write(to: FaultTable.file)
        }
        let written = (try? String(contentsOf: FaultTable.file, encoding: .utf8)) ?? ""
        let isSame = written == wanted
        #expect(
            isSame,
            "run BLUEBONNET_WRITE_FAULTS=1 scripts/test --filter FaultTableTests to update it")
    }

    @Test("has at most 3,600 words")
    func length() {
        let count = FaultTable.article.split { $0.isWhitespace }.count
        #expect(count <= 3600)
    }

    @Test("has every scenario once, and every number of the matrix")
    func scenarios() {
        let identifiers = FaultVariant.all.map(\.id)
        #expect(Set(identifiers).count == identifiers.count, "\(identifiers)")
        let numbers = Set(FaultVariant.all.map(\.number))
        let missing = (1...107).filter { !numbers.contains($0) }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test("has one row for each scenario, and at most three for each number")
    func groups() {
        for variant in FaultVariant.all {
            let count = FaultGroup.all.filter { $0.contains(variant) }.count
            #expect(count == 1, "\(variant.id) is in \(count) rows")
        }
        let counts = Dictionary(grouping: FaultGroup.all, by: \.number).mapValues(\.count)
        let excessive = counts.filter { $0.value > 3 }.keys.sorted()
        #expect(excessive.isEmpty, "\(excessive)")
    }

    @Test("has no row or letter without a scenario")
    func letters() {
        for group in FaultGroup.all {
            let letters = String(group.variants.compactMap(\.letter))
            #expect(!group.variants.isEmpty, "\(group.number): \(group.title)")
            #expect(group.letters ?? letters == letters, "\(group.number): \(group.title)")
            if case .mixed(let failing) = group.ending {
                let areKnown = failing.allSatisfy { letters.contains($0) }
                #expect(areKnown, "\(group.number): \(group.title)")
            }
        }
    }

    @Test("describes success and failure as the scenarios have them")
    func endings() {
        for group in FaultGroup.all {
            for variant in group.variants {
                let isCovered = group.covers(variant)
                #expect(isCovered, "\(variant.id) ends with \(variant.results): \(group.summary)")
            }
        }
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
