import BluebonnetTestSupport
import Foundation
import Testing

import Bluebonnet

@Suite("The order of a task's events", .timeLimit(.minutes(5)))
struct EventOrderTests {
    /// Returns the article's table: scenarios with the names of their events.
    static func table() throws -> [(name: String, events: [String])] {
        let article = try String(
            contentsOf: PackageDirectory.url(
                of: "Sources/Bluebonnet/Documentation.docc/LifeOfATask.md"), encoding: .utf8)
        let lines = article.split(separator: "\n")
        guard let start = lines.firstIndex(of: "| what happens | its events |") else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let names = cells[1].split(separator: " ").map {
                String($0.trimmingCharacters(in: CharacterSet(charactersIn: "`,")))
            }
            return (cells[0], names)
        }
    }

    @Test("it equals the table in the article LifeOfATask")
    func order() async throws {
        let table = try Self.table()
        #expect(table.count == 11)
        for (name, events) in table {
            let scenario = try #require(
                Scenario.named(name), "no scenario \(name.debugDescription)")
            let order = try await scenario.account(for: .monitor).order
            #expect(order == events, "\(name)")
        }
    }
}
