import BluebonnetTestSupport
import Foundation

/// The article about faults, produced from the scenarios and their groups.
enum FaultTable {
    static let file = PackageDirectory.url(
        of: "Sources/Bluebonnet/Documentation.docc/Faults.md")

    /// The whole article.
    static var article: String {
        ([introduction] + FaultTheme.all.map(section) + [differences]).joined(separator: "\n")
    }

    private static func section(_ theme: FaultTheme) -> String {
        """
        ## \(theme.title)

        | number | fault | what happens | error | safe to send again |
        | --- | --- | --- | --- | --- |
        \(theme.groups.map(row).joined(separator: "\n"))

        """
    }

    private static func row(_ group: FaultGroup) -> String {
        let variants = group.variants
        let cells = [
            "\(group.number)", group.title, group.summary,
            list(variants.flatMap(\.results).map(shortName)),
            list(variants.map(\.retry.rawValue)),
        ]
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }

    /// The name of an error without the case of most of them.
    private static func shortName(_ name: String) -> String {
        name.replacing("`.transport`, ", with: "")
    }

    /// Each value once: first those of one word, then the others, whose equal first words appear once.
    private static func list(_ values: [String]) -> String {
        let distinct = values.enumerated().filter { values.firstIndex(of: $1) == $0 }.map(\.element)
        let ordered = distinct.filter { !$0.contains(" `") } + distinct.filter { $0.contains(" `") }
        var first = ""
        let texts = ordered.map { value in
            let text = value.hasPrefix(first + " ") ? value.dropFirst(first.count + 1) : value[...]
            first = String(value.prefix { $0 != " " })
            return text
        }
        return texts.joined(separator: " or ")
    }

    private static var differences: String {
        let explained = Fault.all.compactMap { fault in
            fault.difference.map { (number: FaultVariant(fault).number, text: $0.explanation) }
        }
        // Each text once, with all its numbers, at the place of the first.
        let texts = explained.indices.map { explained[$0].text }
        let lines = texts.indices.filter { texts.firstIndex(of: texts[$0]) == $0 }.map { index in
            let numbers = explained.filter { $0.text == texts[index] }.map { "\($0.number)" }
            return "- \(list(numbers)): \(texts[index]).\n"
        }
        return """
            ## Differences between libcurl versions

            - 63 to 72: HTTP/2 requires libcurl 8.14 or newer.
            \(lines.joined())
            """
    }

    private static let introduction = """
        # Faults of servers and networks

        Look up how a task ends after a fault of a server, a network, a file or the system.

        ## Overview

        In every case, the task completes exactly once and keeps the bytes that it received. Other tasks continue, nothing leaks, and the next request to the same server works. Tests on sockets, with libcurl 7.88 and 8.14, produce this table.

        An error with a dot is a case of ``BluebonnetError``. The others are of the case `transport`, by their ``BluebonnetError/urlError`` code, ``BluebonnetError/limit``, ``BluebonnetError/timeout``, or another property. A dash means success.

        The last column is "yes" if nothing was sent, "if idempotent" if the server may have processed the request, and "no" if the same fault would follow. ``BluebonnetError/isSafeToRetry`` does not predict the latter.

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
