import BluebonnetTestSupport
import Foundation
import Testing

import Bluebonnet

@Suite("JSONRequestSerializer on random parameters")
struct JSONRequestSerializerRandomTests {
    @Test("Foundation reads the same tree back", arguments: 1...40)
    func readBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let object = randomObject(depth: 5, &random)
            let text = try #require(try body(Parameters(object), by: JSONRequestSerializer()))
            let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
            #expect(same(object, parsed), "\(text)")
        }
    }

    private func randomObject(depth: Int, _ random: inout SeededGenerator) -> [String: any Sendable]
    {
        var object: [String: any Sendable] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            object[randomText(&random)] = randomValue(depth: depth - 1, &random)
        }
        return object
    }

    private func randomValue(depth: Int, _ random: inout SeededGenerator) -> any Sendable {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
        case 0: return NSNull()
        case 1: return Bool.random(using: &random)
        case 2: return Int.random(in: Int.min...Int.max, using: &random)
        case 3: return Double.random(in: -1e9...1e9, using: &random)
        case 4, 5: return randomText(&random)
        case 6: return randomObject(depth: depth, &random)
        default:
            return (0..<Int.random(in: 0...4, using: &random)).map { _ in
                randomValue(depth: depth - 1, &random)
            } as [any Sendable]
        }
    }

    private func randomText(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let limit: UInt32 = Bool.random(using: &random) ? 0x80 : 0x11_0000
            let number = UInt32.random(in: 0..<limit, using: &random)
            if let scalar = Unicode.Scalar(number) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    private func same(_ left: Any, _ right: Any) -> Bool {
        switch left {
        case is NSNull: return right is NSNull
        case let left as Bool: return (right as? Bool) == left
        case let left as Int: return (right as? NSNumber)?.int64Value == Int64(left)
        // Foundation reads a Decimal, whose doubleValue can be off in the last digit.
        case let left as Double: return Double("\(right)") == left
        case let left as String: return (right as? String) == left
        case let left as [Any]:
            guard let right = right as? [Any], left.count == right.count else { return false }
            return zip(left, right).allSatisfy { same($0, $1) }
        case let left as [String: Any]:
            guard let right = right as? [String: Any], left.count == right.count
            else { return false }
            return left.allSatisfy { key, value in right[key].map { same(value, $0) } ?? false }
        default: return false
        }
    }
}
