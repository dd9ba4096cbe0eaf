import Testing

@testable import BluebonnetBenchmark

@Suite("A table of the benchmark")
struct TableTests {
    @Test("the first column is left-aligned, the others right-aligned")
    func aligned() {
        var table = Table(header: ["client", "requests/s"])
        table.rows = [["c", "31000"], ["bluebonnet", "9"]]
        #expect(
            table.text(inMarkdown: false) == """
                client      requests/s
                ----------  ----------
                c                31000
                bluebonnet           9
                """
        )
    }

    @Test("columns narrower than Markdown's delimiter row are widened", arguments: [false, true])
    func narrow(inMarkdown: Bool) {
        var table = Table(header: ["", "n"])
        table.rows = [["", "1"]]
        let lines = table.text(inMarkdown: inMarkdown).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(Set(lines.map(\.count)) == [inMarkdown ? 13 : 8])
    }
}
