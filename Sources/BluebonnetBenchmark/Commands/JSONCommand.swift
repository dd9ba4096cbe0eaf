import Bluebonnet
import Foundation
import Glibc

/// `bluebonnet-benchmark json`: JSON read by Bluebonnet and by Foundation, in turn, on one thread.
///
/// Each document is read as plain values, and as a type.
struct JSONCommand {
    private let rounds: Int

    init(_ arguments: some Sequence<String>) throws {
        rounds = try OptionReader.rounds(in: arguments) ?? 9
    }

    func run() throws {
        var table = Table(header: [
            "document", "bytes", "plain µs", "JSONSerialization", "ratio", "typed µs",
            "JSONDecoder",
            "ratio",
        ])
        var smallest = Double.infinity
        for document in JSONDocument.all {
            let plain = try measure(document, .plain, .jsonSerialization)
            let typed = try measure(document, .typed, .jsonDecoder)
            table.rows.append(
                [document.name, "\(document.data.count)"] + plain.cells + typed.cells)
            smallest = min(smallest, plain.ratio, typed.ratio)
        }
        print(Machine.current().summary)
        print(table.text(inMarkdown: false))
        guard smallest >= 1 else {
            throw BenchmarkFailure("a document takes longer than with Foundation")
        }
    }

    private func measure(
        _ document: JSONDocument, _ own: JSONReading, _ foundation: JSONReading
    ) throws -> (cells: [String], ratio: Double) {
        // So many documents that a round takes some hundredths of a second.
        let count = max(2_000_000 / document.data.count, 4)
        var times: (own: [Double], foundation: [Double]) = ([], [])
        // The first round only warms up.
        for round in 0...rounds {
            let ownTime = try microseconds(count) { try own.read(document) }
            let foundationTime = try microseconds(count) { try foundation.read(document) }
            guard round > 0 else { continue }
            times.own.append(ownTime)
            times.foundation.append(foundationTime)
        }
        guard let own = Statistic(times.own), let foundation = Statistic(times.foundation) else {
            throw BenchmarkFailure("nothing was measured")
        }
        let ratio = foundation.median / own.median
        return ([text(own), text(foundation), String(format: "%.2f", ratio)], ratio)
    }

    private func text(_ statistic: Statistic) -> String {
        String(
            format: "%.1f (%.1f–%.1f)", statistic.median, statistic.smallest, statistic.largest
        )
    }

    /// The CPU time that one document takes, with the release of its values.
    private func microseconds(_ count: Int, _ read: () throws -> Void) throws -> Double {
        let start = threadNanoseconds()
        for _ in 0..<count { try read() }
        return Double(threadNanoseconds() - start) / 1_000 / Double(count)
    }

    private func threadNanoseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
