import Foundation

/// Parameters that are created from an input, for comparison with the result of a reader.
indirect enum QueryTree {
    case null
    case bool(Bool)
    case integer(String)
    case double(Double)
    case float(Float)
    case decimal(Decimal)
    case number(NSNumber)
    case text(String)
    case date(Date)
    case data(Data)
    case list([QueryTree])
    case set([String])
    case members([String: QueryTree])
    /// A value of a type that no format supports.
    case unsupported
    /// A dictionary whose keys are not encoded as strings.
    case numbered

    init(_ input: inout FuzzInput) {
        var budget = 60
        self = Self.members(from: &input, depth: 0, &budget)
    }

    private static func value(
        from input: inout FuzzInput, depth: Int, _ budget: inout Int
    ) -> QueryTree {
        budget -= 1
        guard budget > 0, depth < 12 else { return .null }
        switch input.byte() % 20 {
        case 0: return .null
        case 1: return .bool(input.bool())
        case 2: return .integer(String(Int64(bitPattern: input.word()) >> (input.byte() % 64)))
        case 3: return .integer(String(input.word()))
        case 4: return .double(Double(bitPattern: input.word()))
        case 5: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: input.word())))
        case 6: return .date(Date(timeIntervalSince1970: Double(bitPattern: input.word())))
        case 7:
            let seconds = Int64(bitPattern: input.word()) >> 26
            return .date(Date(timeIntervalSince1970: Double(seconds)))
        case 8: return .data(Data(input.bytes()))
        case 9:
            return .list(
                (0..<input.byte() % 5).map { _ in
                    value(from: &input, depth: depth + 1, &budget)
                })
        case 10: return members(from: &input, depth: depth + 1, &budget)
        case 11:
            let inner = value(from: &input, depth: depth + 1, &budget)
            return (0..<input.byte() % 160).reduce(inner) { tree, _ in .list([tree]) }
        case 12:
            return .set(Array(Set((0..<input.byte() % 4).map { _ in input.text() })))
        case 13: return input.byte() == 7 ? .unsupported : .bool(true)
        case 14: return input.byte() == 7 ? .numbered : .null
        case 15:
            let significand = Decimal(Int64(bitPattern: input.word()))
            let exponent = Int(Int8(bitPattern: input.byte()) / 4)
            return .decimal(
                exponent == 31
                    ? .nan : Decimal(sign: .plus, exponent: exponent, significand: significand))
        case 16: return .number(NSNumber(value: Int64(bitPattern: input.word())))
        default: return .text(input.text())
        }
    }

    private static func members(
        from input: inout FuzzInput, depth: Int, _ budget: inout Int
    ) -> QueryTree {
        var members: [String: QueryTree] = [:]
        for _ in 0..<input.byte() % 6 {
            members[input.text()] = value(from: &input, depth: depth, &budget)
        }
        return .members(members)
    }

    /// The tree as the library receives it.
    var parameter: any Sendable {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let text):
            Int64(text).map { $0 as any Sendable } ?? UInt64(text).map { $0 as any Sendable }
                ?? NSNull()
        case .double(let value): value
        case .float(let value): value
        case .decimal(let value): value
        case .number(let value): value
        case .text(let value): value
        case .date(let value): value
        case .data(let value): value
        case .list(let elements): elements.map(\.parameter)
        case .set(let texts): Set(texts)
        case .members(let members): members.mapValues(\.parameter)
        case .unsupported: Character("x")
        case .numbered: [1.5: "one"]
        }
    }

    /// Returns whether the library must reject the tree.
    func isRefused(depth: Int = 1) -> Bool {
        switch self {
        case .unsupported: return true
        case .numbered: return true
        case .double(let value): return !value.isFinite
        case .float(let value): return !value.isFinite
        case .decimal(let value): return value.isNaN
        case .date(let date):
            // The years 0 to 506713, which also exclude a date that is not a number.
            return !(-62_167_392_000..<15_928_182_144_000).contains(date.timeIntervalSince1970)
        case .list(let elements):
            return depth > 128 || elements.contains { $0.isRefused(depth: depth + 1) }
        case .members(let members):
            return depth > 128 || members.values.contains { $0.isRefused(depth: depth + 1) }
        case .set: return depth > 128
        case .null, .bool, .integer, .number, .text, .data: return false
        }
    }
}
