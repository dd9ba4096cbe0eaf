import Bluebonnet
import Foundation
import Glibc

/// `bluebonnet-benchmark json`: JSON objects made by Bluebonnet and by Foundation, in turn, on one thread.
struct JSONCommand {
    private static let target = 4.0

    private let rounds: Int

    init(_ arguments: some Sequence<String>) throws {
        rounds = try OptionReader.rounds(in: arguments) ?? 9
    }

    func run() throws {
        var table = Table(header: ["document", "bytes", "bluebonnet µs", "foundation µs", "ratio"])
        var smallest = Double.infinity
        for document in JSONDocument.all {
            let (row, ratio) = try measure(document)
            table.rows.append(row)
            smallest = min(smallest, ratio)
        }
        print(Machine.current().summary)
        print(table.text(inMarkdown: false))
        guard smallest >= Self.target else {
            throw BenchmarkFailure("the ratio is to be \(Self.target) at least")
        }
    }

    private func measure(_ document: JSONDocument) throws -> (row: [String], ratio: Double) {
        let serializer = JSONResponseSerializer()
        // So many documents that a round takes some hundredths of a second.
        let count = max(4_000_000 / document.data.count, 4)
        var own: [Double] = []
        var foundations: [Double] = []
        // The first round only warms up.
        for round in 0...rounds {
            let ownTime = try microseconds(count) {
                try serializer.serialize(document.data, head: nil) != nil
            }
            let foundationsTime = try microseconds(count) {
                try JSONSerialization.jsonObject(with: document.data) is [String: Any]
            }
            guard round > 0 else { continue }
            own.append(ownTime)
            foundations.append(foundationsTime)
        }
        guard let mine = Statistic(own), let theirs = Statistic(foundations) else {
            throw BenchmarkFailure("nothing was measured")
        }
        let ratio = theirs.median / mine.median
        let row = [
            document.name, "\(document.data.count)", text(mine), text(theirs),
            String(format: "%.2f", ratio),
        ]
        return (row, ratio)
    }

    private func text(_ statistic: Statistic) -> String {
        String(
            format: "%.1f (%.1f–%.1f)", statistic.median, statistic.smallest, statistic.largest
        )
    }

    /// The CPU time that one document takes, with the release of its values.
    private func microseconds(_ count: Int, _ parse: () throws -> Bool) throws -> Double {
        let start = threadNanoseconds()
        for _ in 0..<count where try !parse() {
            throw BenchmarkFailure("a document was not read as an object")
        }
        return Double(threadNanoseconds() - start) / 1_000 / Double(count)
    }

    private func threadNanoseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
