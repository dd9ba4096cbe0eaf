/// How many times the instructions of Foundation's reading a document's reading may take.
struct ReadingBudget {
    static let all = [
        ReadingBudget(.typed, of: "catalog, 10 KB", besides: .jsonDecoder, ratio: 0.212),
        ReadingBudget(.plain, of: "catalog, 10 KB", besides: .jsonSerialization, ratio: 0.35),
    ]

    /// The slope between them is what a document takes.
    private static let counts = (few: 10, many: 30)

    let reading: JSONReading
    let document: String
    let base: JSONReading
    let ratio: Double

    init(
        _ reading: JSONReading, of document: String, besides base: JSONReading, ratio: Double
    ) {
        (self.reading, self.document, self.base, self.ratio) = (reading, document, base, ratio)
    }

    /// Prints what was counted; true when that is no more than it may be.
    ///
    /// One thread does it all, so it is counted once.
    func isKept(in workspace: Workspace) throws -> Bool {
        let callgrind = try Callgrind.reading(in: workspace)
        let own = try instructions(of: reading, callgrind)
        let other = try instructions(of: base, callgrind)
        return Budget.isKept(
            "\(reading.rawValue): \(Int(own)) instructions, times \(base.rawValue)'s",
            [own / other],
            most: ratio, document)
    }

    private func instructions(of reading: JSONReading, _ callgrind: Callgrind) throws -> Double {
        func count(_ number: Int) throws -> Int {
            try callgrind.profile([reading.rawValue, document, "\(number)"]).instructions
        }
        let counts = Self.counts
        return Double(try count(counts.many) - count(counts.few))
            / Double(counts.many - counts.few)
    }
}
