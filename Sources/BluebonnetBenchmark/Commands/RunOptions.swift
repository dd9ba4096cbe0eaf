/// The options of `scripts/benchmark`.
struct RunOptions {
    var jsonFile: String?
    var chartFile: String?
    /// The path of the results of an earlier run, with which this run is compared.
    var earlierFile: String?
    /// The percentage by which a ratio may be worse than in the earlier run.
    var tolerance = Comparison.defaultTolerance
    var rounds = 5
    var cases = BenchmarkCase.all.filter { !$0.isOnRequest }
    var clients = Client.allCases
    var isQuick = false
    var isMarkdown = false

    init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        var rounds: Int?
        while let option = reader.next() {
            switch option {
            case "--json": jsonFile = try reader.value()
            case "--chart": chartFile = try reader.value()
            case "--compare": earlierFile = try reader.value()
            case "--tolerance": tolerance = try reader.positiveNumber()
            case "--rounds": rounds = try reader.positiveNumber()
            case "--cases":
                cases = try Self.pick(reader.value(), from: BenchmarkCase.all, named: \.name)
            case "--clients":
                clients = try Self.pick(reader.value(), from: Client.allCases, named: \.rawValue)
            case "--quick": isQuick = true
            case "--markdown": isMarkdown = true
            default: throw UsageError(message: "unknown option \(option)")
            }
        }
        self.rounds = rounds ?? (isQuick ? 1 : 5)
    }

    /// Returns the named elements, in the order of the whole list.
    private static func pick<Element>(
        _ list: String, from all: [Element], named name: (Element) -> String
    ) throws -> [Element] {
        let names = Set(list.split(separator: ",").map(String.init))
        if let unknown = names.subtracting(all.map(name)).min() {
            throw UsageError(
                message: "\(unknown) is none of \(all.map(name).joined(separator: ", "))")
        }
        guard !names.isEmpty else {
            throw UsageError(message: "the list of cases or clients is empty")
        }
        return all.filter { names.contains(name($0)) }
    }
}
