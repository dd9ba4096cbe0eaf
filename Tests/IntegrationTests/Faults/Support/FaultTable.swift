import BluebonnetTestSupport
import Foundation

/// The documentation's table of faults, made of the scenarios.
enum FaultTable {
    /// Where the documentation has it.
    static let file = PackageDirectory.url(
        of: "Sources/Bluebonnet/Documentation.docc/Faults.md")

    private struct Row {
        let id: String
        let name: String
        let reaction: String
        let className: String
        let retry: RetrySafety

        /// Orders by number, then by letter.
        var order: (Int, String) {
            let number = id.prefix { $0.isNumber }
            return (Int(number) ?? 0, String(id.dropFirst(number.count)))
        }

        var text: String {
            let cells = [id, name, reaction, className, retry.rawValue]
            return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")
                + " |"
        }
    }

    /// The whole article.
    static var article: String {
        let rows = (Fault.all.map(row) + CoveredFault.all.map(row)).sorted { $0.order < $1.order }
        let explanations = Fault.all.compactMap { fault in
            fault.difference.map { (id: fault.id, text: $0.explanation) }
        }
        // Each once, with all its rows, where its first row would have it.
        let differences: [String] = explanations.indices.compactMap { index in
            let text = explanations[index].text
            guard explanations.firstIndex(where: { $0.text == text }) == index else { return nil }
            let ids = explanations.filter { $0.text == text }.map(\.id)
            return "- \(ids.joined(separator: ", ")): \(text)."
        }
        let ending =
            differences.isEmpty
            ? ""
            : "\n## libcurl's versions\n\n"
                + differences.joined(separator: "\n") + "\n"
        return introduction + rows.map(\.text).joined(separator: "\n") + "\n" + ending
    }

    private static func row(_ fault: Fault) -> Row {
        Row(
            id: fault.id, name: fault.name, reaction: fault.reaction,
            className: fault.outcome.className, retry: fault.retry ?? fault.outcome.retry)
    }

    private static func row(_ fault: CoveredFault) -> Row {
        Row(
            id: fault.id, name: fault.name, reaction: fault.reaction,
            className: fault.className, retry: fault.retry)
    }

    private static let introduction = """
        # Faults of servers and networks

        What becomes of a task when the other side misbehaves.

        ## Overview

        In every case the task completes exactly once, with an error of the kind below or with the response, what came until then is kept, no connection or memory stays behind, tasks with other servers go on as if nothing had happened, and the next request to the same server works. The tests show each case on sockets, most of them in plain text and over TLS, on libcurl 7.88 and 8.14. Rows 63 to 72 are of HTTP/2, on 8.14 alone.

        The error is a ``BluebonnetError``. Its cases are named with a dot, the code is that of ``BluebonnetError/urlError``, and limits and timeouts are ``BluebonnetError/limit`` and ``BluebonnetError/timeout``. A dash means that the task succeeds. The last column says whether the request may be sent again: `yes` where nothing was sent, `if idempotent` where the server may have acted on it (RFC 9110 section 9.2.2), `no` where the same would come of it. ``BluebonnetError/isSafeToRetry`` says so of an error, but for what would come of it.

        This table is made of the tests' scenarios; `BLUEBONNET_WRITE_FAULTS=1 scripts/test --filter FaultTableTests` writes it.

        | row | fault | what the library does | error | safe to send again |
        | --- | --- | --- | --- | --- |

        """
}

extension Fault {
    /// Every scenario.
    static let all = [
        ends, lengths, chunks, statusLines, heads, interims, bodiless, redirects, codings, silences,
        uploads, keptConnections, security, connecting, streams, goingAway, frames, messages,
        floods,
        windows, proxies,
        authentication, cookies, addresses, fields,
    ].flatMap(\.self)
}
