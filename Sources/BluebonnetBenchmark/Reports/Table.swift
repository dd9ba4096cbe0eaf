/// A table of text, with the first column aligned left and the others, which are numbers, right.
struct Table {
    let header: [String]
    var rows: [[String]] = []

    func text(inMarkdown: Bool) -> String {
        let widths = header.indices.map { column in
            // The line below the header needs three characters in Markdown.
            ([header] + rows).map { $0[column].count }.reduce(3, max)
        }
        let rule = widths.enumerated().map { column, width in
            let dashes = String(repeating: "-", count: width - 1)
            return inMarkdown && column > 0 ? dashes + ":" : dashes + "-"
        }
        return ([header, rule] + rows).map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }
            return inMarkdown
                ? "| " + cells.joined(separator: " | ") + " |"
                : cells.joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}
