/// The options of `scripts/soak`.
struct SoakOptions {
    var minutes = 60.0
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var taskCount = 48

    init(_ arguments: some Sequence<String>) throws {
        var iterator = arguments.makeIterator()
        while let option = iterator.next() {
            func value<
                Number: LosslessStringConvertible & Comparable & ExpressibleByIntegerLiteral
            >(
                _ type: Number.Type, above least: Number
            ) throws -> Number {
                guard let text = iterator.next(), let number = Number(text), number > least else {
                    throw UsageError(message: "\(option) needs a number above \(least)")
                }
                return number
            }
            switch option {
            case "--minutes": minutes = try value(Double.self, above: 0)
            case "--seed": seed = UInt64(try value(Int.self, above: -1))
            case "--tasks": taskCount = try value(Int.self, above: 0)
            default: throw UsageError(message: "unknown option \(option)")
            }
        }
    }
}
