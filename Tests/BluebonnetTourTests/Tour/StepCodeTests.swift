import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTour

@Suite("The code that the tour shows")
struct StepCodeTests {
    /// The lines of a step's file, without indentation and without those of the shown code.
    private func lines(of step: any TourStep.Type) throws -> [String] {
        let path = "Sources/BluebonnetTour/Tour/Steps/\(step).swift"
        let source = try String(contentsOf: PackageDirectory.url(of: path), encoding: .utf8)
        let lines = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let start = try #require(lines.firstIndex(of: #"static let code = """"#))
        let end = try #require(lines[(start + 1)...].firstIndex(of: #"""""#))
        return Array(lines[..<start] + lines[(end + 1)...])
    }

    @Test(
        "each line of it is one of the step's own, in the same order", arguments: Tour.steps.indices
    )
    func same(index: Int) throws {
        let step = Tour.steps[index]
        var rest = try lines(of: step)[...]
        for line in step.code.split(separator: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard let place = rest.firstIndex(of: line) else {
                Issue.record("\(step) does not do this, or not in this order: \(line)")
                return
            }
            rest = rest[(place + 1)...]
        }
    }

    @Test("it has two to six lines that fit, and a title that does", arguments: Tour.steps.indices)
    func size(index: Int) {
        let step = Tour.steps[index]
        let lines = step.code.split(separator: "\n", omittingEmptySubsequences: false)
        #expect((2...6).contains(lines.count))
        #expect(lines.allSatisfy { !$0.isEmpty && $0.count <= 74 })
        #expect((1...19).contains(step.title.count))
    }

    @Test("every step has a file, and every file a step of the tour")
    func complete() throws {
        let directory = PackageDirectory.url(of: "Sources/BluebonnetTour/Tour/Steps")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(files) == Set(Tour.steps.map { "\($0).swift" }))
        #expect(Set(Tour.steps.map { $0.title }).count == Tour.steps.count)
    }
}
