import Bluebonnet
import Foundation
import Glibc

/// `scripts/benchmark json`: compares reading and writing JSON with Foundation and with Go.
///
/// Bluebonnet and Foundation take turns, and Go's `encoding/json` follows. Each document is read as
/// bytes, as plain values and as a type, and the result is written. CPU time is measured, because
/// Go frees memory on other threads.
struct JSONCommand {
    private var rounds = 9
    private var chartPath: String?
    private var isMarkdown = false

    init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        while let option = reader.next() {
            switch option {
            case "--rounds": rounds = try reader.positiveNumber()
            case "--chart": chartPath = try reader.value()
            case "--markdown": isMarkdown = true
            default: throw UsageError(message: "unknown option \(option)")
            }
        }
    }

    func run() throws {
        let workspace = try Workspace()
        StopSignals.handle { workspace.closeAndExit(status: $0) }
        defer { workspace.close() }
        let go = try GoDocuments(in: workspace)
        let results = try JSONDocument.all.map { try measure($0, go) }
        print(Machine.current().summary)
        for table in Self.tables {
            print()
            print(table.text(of: results, inMarkdown: isMarkdown))
        }
        if let chartPath {
            try JSONChart(results).chart.svg.write(
                toFile: chartPath, atomically: true, encoding: .utf8)
        }
        for table in Self.tables {
            guard let slow = results.first(where: { table.isSlower(in: $0) }) else { continue }
            throw BenchmarkFailure(
                "\(slow.document) takes longer \(table.title) than with \(table.foundation.rawValue)"
            )
        }
    }

    private static let tables = [
        JSONTable("as plain values", .plain, .jsonSerialization, besides: [.bytes]),
        JSONTable("as a type", .typed, .jsonDecoder, besides: [.goUnmarshal]),
        JSONTable("to write", .encoded, .jsonEncoder, besides: [.goMarshal]) {
            $0.writtenSize
        },
    ]

    private func measure(_ document: JSONDocument, _ go: GoDocuments?) throws -> JSONResult {
        // Enough documents for a round of some hundredths of a second.
        let count = max(2_000_000 / document.data.count, 4)
        var times: [JSONWork: [Double]] = [:]
        // The first round only warms up.
        for round in 0...rounds {
            for work in JSONWork.own {
                let time = try microseconds(count) { try document.perform(work) }
                if round > 0 { times[work, default: []].append(time) }
            }
        }
        if let go {
            let measured = try go.times(of: document, count: count, rounds: rounds)
            times[.goUnmarshal] = measured.read
            times[.goMarshal] = measured.written
        }
        return JSONResult(
            document: document.name, size: document.data.count,
            writtenSize: try document.writtenSize,
            times: times.compactMapValues { Statistic($0) })
    }

    /// Returns the CPU time of one document, including the release of its values.
    private func microseconds(_ count: Int, _ perform: () throws -> Void) throws -> Double {
        let start = threadNanoseconds()
        for _ in 0..<count { try perform() }
        return Double(threadNanoseconds() - start) / 1_000 / Double(count)
    }

    private func threadNanoseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
