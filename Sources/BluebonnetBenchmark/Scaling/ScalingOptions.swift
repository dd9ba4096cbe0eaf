/// The options of `scripts/benchmark scaling`.
struct ScalingOptions {
    var rounds = 5
    /// The number of requests that are measured at each point.
    var count = 20_000
    var axes = ScalingAxis.allCases
    var chartFile: String?
    var isMarkdown = false

    init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        var rounds: Int?
        while let option = reader.next() {
            switch option {
            case "--rounds": rounds = try reader.positiveNumber()
            case "--axis":
                guard let axis = ScalingAxis(rawValue: try reader.value()) else {
                    throw UsageError(message: "there is no such axis")
                }
                axes = [axis]
            case "--chart": chartFile = try reader.value()
            case "--markdown": isMarkdown = true
            case "--quick":
                rounds = rounds ?? 1
                count = 5_000
            default: throw UsageError(message: "unknown option \(option)")
            }
        }
        self.rounds = rounds ?? self.rounds
    }
}
