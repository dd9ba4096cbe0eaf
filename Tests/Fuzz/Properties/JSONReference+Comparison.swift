import Foundation

extension JSONReference.Value {
    /// Returns whether a value from the library is equal to this one.
    func agrees(with value: Any?, keepsKeys: Bool, keepsElements: Bool) -> Bool {
        func agrees(_ reference: Self, _ value: Any?) -> Bool {
            reference.agrees(with: value, keepsKeys: keepsKeys, keepsElements: keepsElements)
        }
        switch self {
        case .null: return value is NSNull
        case .bool(let expected): return value is Bool && value as? Bool == expected
        case .number(let text): return Self.isNumber(value, text)
        case .string(let bytes):
            guard let text = value as? String else { return false }
            return Array(text.utf8) == bytes
        case .array(let elements):
            let expected = elements.filter { keepsElements || !$0.isNull }
            guard let found = value as? [any Sendable], found.count == expected.count else {
                return false
            }
            return zip(expected, found).allSatisfy { agrees($0, $1) }
        case .object(let members):
            // In Swift, canonically equivalent keys are one key, and the last value counts.
            var expected: [String: Self] = [:]
            for (key, value) in members {
                expected[String(decoding: key, as: UTF8.self)] =
                    keepsKeys || !value.isNull ? value : nil
            }
            guard let found = value as? [String: any Sendable], found.count == expected.count else {
                return false
            }
            return expected.allSatisfy { agrees($1, found[$0]) }
        }
    }

    private var isNull: Bool {
        if case .null = self { true } else { false }
    }

    private static func isNumber(_ value: Any?, _ text: String) -> Bool {
        let isInteger = !text.contains { ".eE".contains($0) }
        if isInteger, let number = Int(text) { return value as? Int == number }
        if isInteger, let number = UInt64(text) { return value as? UInt64 == number }
        return (value as? Double)?.bitPattern == Double(text)?.bitPattern
    }
}
