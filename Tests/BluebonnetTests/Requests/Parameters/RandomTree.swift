import BluebonnetTestSupport
import Foundation

import Bluebonnet

/// A random value for parameters that is also Encodable.
///
/// A seed repeats it.
indirect enum RandomTree: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case text(String)
    case date(Date)
    case data(Data)
    case array([RandomTree])
    case object([String: RandomTree])

    /// The possible contents of a tree.
    struct Shape: Sendable {
        var allowsNull = true
        /// Arrays have at least two scalars and no containers.
        var hasFlatArrays = false
        /// Characters of strings and, after a letter, of keys.
        var characters: [Character] = Array(
            "az09 -._~&=+%#;/?:@!$'()*,\"\\<>\t\n\r\u{1}\u{7F}é€😀\u{301}")
    }

    /// The tree as parameters.
    var parameter: any Sendable {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .text(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let elements): elements.map(\.parameter)
        case .object(let members): members.mapValues(\.parameter)
        }
    }
}

extension RandomTree: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension RandomTree {
    /// Creates trees, repeatable by seed.
    struct Source: RandomNumberGenerator {
        private var generator: SeededGenerator
        private let shape: Shape

        init(seed: UInt64, _ shape: Shape = Shape()) {
            (generator, self.shape) = (SeededGenerator(seed: seed), shape)
        }

        mutating func next() -> UInt64 { generator.next() }

        /// Returns a dictionary of trees.
        mutating func members(depth: Int = 4) -> [String: RandomTree] {
            var members: [String: RandomTree] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &self) {
                members["k" + text()] = tree(depth: depth - 1)
            }
            return members
        }

        private mutating func tree(depth: Int) -> RandomTree {
            guard depth > 0, Int.random(in: 0..<3, using: &self) == 0 else { return scalar() }
            if Bool.random(using: &self) { return .object(members(depth: depth)) }
            let counts = shape.hasFlatArrays ? 2...4 : 0...4
            return .array(
                (0..<Int.random(in: counts, using: &self)).map { _ in
                    shape.hasFlatArrays ? scalar() : tree(depth: depth - 1)
                }
            )
        }

        private mutating func scalar() -> RandomTree {
            switch Int.random(in: shape.allowsNull ? 0...6 : 1...6, using: &self) {
            case 0: return .null
            case 1: return .bool(Bool.random(using: &self))
            case 2:
                return .integer(Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self))
            case 3: return .double(double())
            case 4:
                // For dates before 1582, Foundation uses the Julian calendar.
                let seconds = Int.random(in: -12_000_000_000...250_000_000_000, using: &self)
                return .date(Date(timeIntervalSince1970: Double(seconds)))
            case 5:
                let count = Int.random(in: 0...20, using: &self)
                return .data(Data((0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }))
            default: return .text(text())
            }
        }

        /// Returns any finite number with a fraction, so that no parser takes it for an integer.
        private mutating func double() -> Double {
            let value = Double(bitPattern: next())
            return value.isFinite && !"\(value)".hasSuffix(".0") ? value : 0.5
        }

        private mutating func text() -> String {
            let count = Int.random(in: 0...8, using: &self)
            return String(
                (0..<count).map { _ in shape.characters.randomElement(using: &self) ?? "a" })
        }
    }
}
