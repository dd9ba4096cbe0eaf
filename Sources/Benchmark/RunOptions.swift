/// The options of `benchmark run`.
struct RunOptions {
    var jsonFile: String?
    var rounds = 5
    var cases = BenchmarkCase.all.filter { !$0.isOnRequest }
    var clients = Client.allCases
    var isQuick = false
    var isMarkdown = false

    init(_ arguments: some Sequence<String>) throws {
        var iterator = arguments.makeIterator()
        var rounds: Int?
        while let option = iterator.next() {
            func value() throws -> String {
                guard let value = iterator.next() else {
                    throw UsageError(message: "\(option) needs a value")
                }
                return value
            }
            switch option {
            case "--json":
                jsonFile = try value()
            case "--rounds":
                guard let count = Int(try value()), count > 0 else {
                    throw UsageError(message: "--rounds needs a positive number")
                }
                rounds = count
            case "--cases":
                cases = try Self.pick(value(), from: BenchmarkCase.all, named: \.name)
            case "--clients":
                clients = try Self.pick(value(), from: Client.allCases, named: \.rawValue)
            case "--quick":
                isQuick = true
            case "--markdown":
                isMarkdown = true
            default:
                throw UsageError(message: "unknown option \(option)")
            }
        }
        self.rounds = rounds ?? (isQuick ? 1 : 5)
    }

    /// The named elements, in the order of the whole list.
    private static func pick<Element>(
        _ list: String, from all: [Element], named name: (Element) -> String
    ) throws -> [Element] {
        let names = Set(list.split(separator: ",").map(String.init))
        if let unknown = names.subtracting(all.map(name)).min() {
            throw UsageError(message: "there is no \(unknown)")
        }
        guard !names.isEmpty else {
            throw UsageError(message: "an empty list was given")
        }
        return all.filter { names.contains(name($0)) }
    }
}
