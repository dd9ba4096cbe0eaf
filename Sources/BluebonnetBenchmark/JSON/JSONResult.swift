/// What the works on a document took, in microseconds.
struct JSONResult {
    let document: String
    let size: Int
    let times: [JSONWork: Statistic]
}

/// Bluebonnet's time for each document, beside that of Foundation and of others.
struct JSONTable {
    let title: String
    let own: JSONWork
    let foundation: JSONWork
    private let others: [JSONWork]

    init(
        _ title: String, _ own: JSONWork, _ foundation: JSONWork, besides others: [JSONWork]
    ) {
        self.title = title
        self.own = own
        self.foundation = foundation
        self.others = others
    }

    func text(of results: [JSONResult], inMarkdown isMarkdown: Bool) -> String {
        let works = [own, foundation] + others
        var table = Table(
            header: ["\(title), µs", "bytes"] + works.flatMap { [$0.rawValue, "times"] })
        for result in results {
            let cells = works.flatMap { work in
                [result.times[work]?.text(digits: 1) ?? "-", times(work, in: result) ?? "-"]
            }
            table.rows.append([result.document, "\(result.size)"] + cells)
        }
        return table.text(inMarkdown: isMarkdown)
    }

    func isSlower(in result: JSONResult) -> Bool {
        guard let own = result.times[own], let other = result.times[foundation] else { return true }
        return own.median > other.median
    }

    /// How many times Bluebonnet's time a work takes.
    private func times(_ work: JSONWork, in result: JSONResult) -> String? {
        guard let own = result.times[own], let other = result.times[work] else { return nil }
        return Statistic([other.median / own.median])?.text(digits: 2)
    }
}
