/// What a small GET through the manager may cost, by counts that depend little on the machine's mood.
///
/// Each figure is the median that was reached on a busy machine, and a tenth more. Lower them when
/// the library gets cheaper; `scripts/budget` prints what it costs now.
struct Budget {
    static let instructions = Budget(of: "instructions", most: 137_000)
    static let allocations = Budget(of: "allocations", most: 26.5)

    let name: String
    let most: Double

    init(of name: String, most: Double) {
        self.name = name
        self.most = most
    }

    func isKept(by cost: Double) -> Bool { cost <= most }
}
