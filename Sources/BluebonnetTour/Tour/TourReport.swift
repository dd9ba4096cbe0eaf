import Bluebonnet

/// Prints the steps of a tour.
struct TourReport {
    private static let hints = [
        ("README.md", "install the library, and write a first program"),
        ("scripts/tour --serve", "start this server alone, to try a program against"),
        ("scripts/tour URL", "fetch a URL, as curl does"),
        ("scripts/tour --help", "see what else there is"),
    ]

    let output: Terminal

    /// Prints the introduction, with the variables that the code of the steps uses.
    func begin(count: Int, url: URL) {
        output.print(
            output.styled("A tour of Bluebonnet", .bold)
                + ": \(count) steps against a server of its own, in a few seconds.")
        printCode(#"let url = URL(string: "\#(url.absoluteString)")!"#)
        printCode("let api = HTTPSessionManager(baseURL: url)")
    }

    /// Separates the step from the one before.
    func beginStep() {
        output.print("")
    }

    func endStep(_ step: any TourStep.Type, _ outcome: StepOutcome, time: Duration) {
        let verdict = outcome.held ? output.styled("ok    ", .green) : output.styled("FAILED", .red)
        let title = step.title.padding(toLength: 19, withPad: " ", startingAt: 0)
        let milliseconds = String(format: "%6.1f ms", time / .milliseconds(1))
        let text = output.oneLine(outcome.text)
        output.print("\(verdict) \(output.styled(title, .bold)) \(milliseconds)  \(text)")
        if let detail = outcome.detail { printDetail(output.oneLine(detail)) }
        printCode(step.code)
    }

    func end(count: Int, failures: Int, requests: Int, time: Duration) {
        let seconds = String(format: "%.1f s", time / .seconds(1))
        let verdict =
            failures == 0
            ? output.styled("All \(count) steps held", .green)
            : output.styled("\(failures) of \(count) steps failed", .red)
        output.print("\n\(verdict), with \(requests) requests in \(seconds).\n")
        for (index, (name, purpose)) in Self.hints.enumerated() {
            let start = index == 0 ? "next: " : "      "
            let name = name.padding(toLength: 21, withPad: " ", startingAt: 0)
            output.print("\(start)\(output.styled(name, .bold))\(purpose)")
        }
    }

    private func printDetail(_ detail: String) {
        let columns = output.isTerminal ? output.width() - 5 : .max
        for line in WrappedText.lines(of: detail, columns: columns) {
            output.print(output.styled("    \(line)", .yellow))
        }
    }

    private func printCode(_ code: String) {
        for line in code.split(separator: "\n") {
            output.print(output.styled("    \(line)", .dim))
        }
    }
}
