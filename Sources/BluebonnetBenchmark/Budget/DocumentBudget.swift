/// The largest ratio of a document's instructions to those of Foundation.
struct DocumentBudget {
    static let all = [
        DocumentBudget(.typed, of: "catalog, 10 KB", besides: .jsonDecoder, ratio: 0.212),
        DocumentBudget(.encoded, of: "catalog, 10 KB", besides: .jsonEncoder, ratio: 0.29),
        DocumentBudget(.encoded, of: "short", besides: .jsonEncoder, ratio: 0.333),
        DocumentBudget(.plain, of: "catalog, 10 KB", besides: .jsonSerialization, ratio: 0.35),
    ]

    /// The numbers of documents, whose slope is the cost of one document.
    private static let counts = (few: 10, many: 30)

    let work: JSONWork
    let document: String
    let base: JSONWork
    let ratio: Double

    init(
        _ work: JSONWork, of document: String, besides base: JSONWork, ratio: Double
    ) {
        (self.work, self.document, self.base, self.ratio) = (work, document, base, ratio)
    }

    /// Prints the ratio and returns whether it is within the budget.
    ///
    /// All work runs on one thread, so it is counted once.
    func isKept(in workspace: Workspace) throws -> Bool {
        let callgrind = try Callgrind.work(in: workspace)
        let own = try instructions(of: work, callgrind)
        let other = try instructions(of: base, callgrind)
        return Budget.isKept(
            "\(work.rawValue): \(Int(own)) instructions, times \(base.rawValue)'s",
            [own / other],
            most: ratio, document)
    }

    private func instructions(of work: JSONWork, _ callgrind: Callgrind) throws -> Double {
        func count(_ number: Int) throws -> Int {
            try callgrind.profile([work.rawValue, document, "\(number)"]).instructions
        }
        let counts = Self.counts
        return Double(try count(counts.many) - count(counts.few))
            / Double(counts.many - counts.few)
    }
}
