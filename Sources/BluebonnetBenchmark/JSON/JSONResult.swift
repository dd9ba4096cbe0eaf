/// The times of all kinds of work on a document, in microseconds.
struct JSONResult {
    let document: String
    let size: Int
    /// The size of the document when it is written again, in bytes.
    ///
    /// It is nil if the result is the same as for another document.
    let writtenSize: Int?
    let times: [JSONWork: Statistic]
}

/// A table of Bluebonnet's time for each document, next to that of Foundation and other libraries.
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

    /// Returns the time of a kind of work divided by Bluebonnet's time.
    private func times(_ work: JSONWork, in result: JSONResult) -> String? {
        guard let own = result.times[own], let other = result.times[work] else { return nil }
        return Statistic([other.median / own.median])?.text(digits: 2)
    }
}
