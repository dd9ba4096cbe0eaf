import Bluebonnet
import BluebonnetTourServer

/// Prints the steps of a tour.
struct TourReport {
    private static let hints = [
        ("README.md", "install the library, and write a first program"),
        ("scripts/tour --serve", "start this server alone, to try a program against"),
        ("Examples/README.md", "run complete programs against it"),
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
        output.print("\(verdict) \(output.styled(title, .bold)) \(milliseconds)  \(outcome.text)")
        if let detail = outcome.detail { output.print(output.styled("    \(detail)", .yellow)) }
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

    private func printCode(_ code: String) {
        for line in code.split(separator: "\n") {
            output.print(output.styled("    \(line)", .dim))
        }
    }
}
