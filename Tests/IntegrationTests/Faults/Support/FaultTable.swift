import BluebonnetTestSupport
import Foundation

/// The article about faults, produced from the scenarios and their groups.
enum FaultTable {
    /// The location of the article.
    static let file = PackageDirectory.url(
        of: "Sources/Bluebonnet/Documentation.docc/Faults.md")

    /// The whole article.
    static var article: String {
        ([introduction] + FaultTheme.all.map(section) + [differences]).joined(separator: "\n")
    }

    private static func section(_ theme: FaultTheme) -> String {
        """
        ## \(theme.title)

        | number | fault | what happens | error | retry |
        |---|---|---|---|---|
        \(theme.groups.map(row).joined(separator: "\n"))

        """
    }

    private static func row(_ group: FaultGroup) -> String {
        let variants = group.variants
        let cells = [
            "\(group.number)", group.title, group.summary,
            errors(variants.flatMap(\.results)), retry(variants.map(\.retry)),
        ]
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }

    /// Joins the distinct names, without the case `transport`.
    ///
    /// Success comes first, then codes, then names with a kind such as "limit", which appears once.
    private static func errors(_ names: [String]) -> String {
        let short = distinct(names.map { $0.replacing("`.transport`, ", with: "") })
        let marks = short.filter { $0 == FaultVariant.success }
        let codes = short.filter { $0 != FaultVariant.success && !$0.contains(" `") }
        var kind = ""
        let texts = (marks + codes + short.filter { $0.contains(" `") }).map { name in
            let text = name.hasPrefix(kind + " ") ? name.dropFirst(kind.count + 1) : name[...]
            kind = String(name.prefix { $0 != " " })
            return text
        }
        return texts.joined(separator: " or ")
    }

    /// Joins the distinct values, the safest first.
    private static func retry(_ values: [RetrySafety]) -> String {
        let known = [RetrySafety.anyMethod, .idempotent, .useless].filter(values.contains)
        let texts = known.isEmpty ? [RetrySafety.notNeeded] : known
        return texts.map(\.rawValue).joined(separator: " or ")
    }

    private static func distinct(_ values: [String]) -> [String] {
        values.indices.filter { values.firstIndex(of: values[$0]) == $0 }.map { values[$0] }
    }

    private static var differences: String {
        let explained = Fault.all.compactMap { fault in
            fault.difference.map { (number: FaultVariant(fault).number, text: $0.explanation) }
        }
        let lines = distinct(explained.map(\.text)).map { text in
            let numbers = distinct(explained.filter { $0.text == text }.map { "\($0.number)" })
            return "- \(numbers.joined(separator: ", ")): \(text).\n"
        }
        return """
            ## Differences between libcurl versions

            \(lines.joined())- 63 to 72: HTTP/2 requires libcurl 8.14 or later.
            - 89: libcurl 7.88 passes on internal sockets that carry no data.

            """
    }

    private static let introduction = """
        # Faults of servers and networks

        Look up how a task ends after a fault of a server, network, file, or system.

        ## Overview

        In every case, the task completes exactly once and keeps the received bytes. Tasks with other servers continue, nothing leaks, and the next request to the same server works. Tests with libcurl 7.88 and 8.14 check each row. A row combines similar faults, whose results are joined by "or".

        An error with a dot is a case of ``BluebonnetError``. Other errors are the case `.transport`, shown by the code of ``BluebonnetError/urlError``, or by ``BluebonnetError/limit``, ``BluebonnetError/timeout``, ``BluebonnetError/certificateFault``, ``BluebonnetError/addressDenial``, or `proxyStatus`. A dash means success.

        The last column is "yes" if nothing was sent or processed, "if idempotent" if the server may have processed the request, and "no" if a retry would fail. ``BluebonnetError/isSafeToRetry`` can be true even then.

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
