/// A section of the documentation's table: faults of the same kind.
struct FaultTheme: Sendable {
    let title: String
    let groups: [FaultGroup]

    init(_ title: String, _ groups: [FaultGroup]) {
        self.title = title
        self.groups = groups
    }

    /// Every section, in the order of the article.
    static let all = connections + responses + requests + http2 + system
}
