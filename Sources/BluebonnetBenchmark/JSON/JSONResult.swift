/// What the works on a document took, in microseconds.
struct JSONResult {
    let document: String
    let size: Int
    /// The bytes that are written of what was read; nil where another document is the same when it is written.
    let writtenSize: Int?
    let times: [JSONWork: Statistic]
}

/// Bluebonnet's time for each document, beside that of Foundation and of others.
struct JSONTable {
    let title: String
    let own: JSONWork
    let foundation: JSONWork
    private let others: [JSONWork]
    private let size: @Sendable (JSONResult) -> Int?

    init(
        _ title: String, _ own: JSONWork, _ foundation: JSONWork, besides others: [JSONWork],
        size: @escaping @Sendable (JSONResult) -> Int? = { $0.size }
    ) {
        self.title = title
        self.size = size
        self.own = own
        self.foundation = foundation
        self.others = others
    }

    func text(of results: [JSONResult], inMarkdown isMarkdown: Bool) -> String {
        let works = [own, foundation] + others
        var table = Table(
            header: ["\(title), µs", "bytes"] + works.flatMap { [$0.rawValue, "times"] })
        for result in results {
            guard let size = size(result) else { continue }
            let cells = works.flatMap { work in
                [result.times[work]?.text(digits: 1) ?? "-", times(work, in: result) ?? "-"]
            }
            table.rows.append([result.document, "\(size)"] + cells)
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
