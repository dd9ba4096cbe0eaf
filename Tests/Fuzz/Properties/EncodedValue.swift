import Foundation

@testable import Bluebonnet

/// A value that uses its encoder in every way that types do.
indirect enum EncodedValue: Encodable {
    /// A value of a type that the encoder knows.
    case known(any Encodable)
    case nothing
    case single(EncodedValue)
    case optional(EncodedValue?)
    case array([EncodedValue])
    case dictionary([String: EncodedValue])
    case keyed([Step])
    case unkeyed([Step])

    /// An action on one of the containers that have been opened so far.
    struct Step {
        let container: Int
        let key: Key
        let action: Action

        fileprivate var withoutFailures: Step? {
            switch action {
            case .encode(let value):
                Step(container: container, key: key, action: .encode(value.withoutFailures))
            case .tryEncode, .trySingle: nil
            default: self
            }
        }
    }

    enum Action {
        case encode(EncodedValue)
        /// Encodes a value and ignores its failure.
        case tryEncode(EncodedValue)
        /// Encodes a value with a single-value container of the same encoder, and ignores its
        /// failure.
        case trySingle(EncodedValue)
        case encodeNil
        case encodeIfPresent(Int?)
        /// Encodes 128-bit integers, for which the standard library has separate functions.
        case encodeWide(UInt64)
        case encodePath
        case nestKeyed
        case nestUnkeyed
        /// Opens a container for a superclass.
        case inherit
        case inheritForKey
        /// Opens another container of the same encoder.
        case reopen
    }

    private enum Word: String, Encodable, CodingKeyRepresentable { case first, second }

    private struct Refusing: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "refused"))
        }
    }

    /// A value that encodes itself forever.
    private struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The same value without the parts whose failures are ignored.
    var withoutFailures: EncodedValue {
        switch self {
        case .known, .nothing: self
        case .single(let value): .single(value.withoutFailures)
        case .optional(let value): .optional(value?.withoutFailures)
        case .array(let elements): .array(elements.map(\.withoutFailures))
        case .dictionary(let members): .dictionary(members.mapValues(\.withoutFailures))
        case .keyed(let steps): .keyed(steps.compactMap(\.withoutFailures))
        case .unkeyed(let steps): .unkeyed(steps.compactMap(\.withoutFailures))
        }
    }

    private var isText: Bool {
        if case .known(let value) = self { value is String } else { false }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .known(let value): try value.encode(to: encoder)
        case .nothing: break
        case .single(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .optional(let value): try value.encode(to: encoder)
        case .array(let elements): try elements.encode(to: encoder)
        case .dictionary(let members): try members.encode(to: encoder)
        case .keyed(let steps):
            var walk = Walk(encoder, isKeyed: true)
            for step in steps { try walk.take(step) }
        case .unkeyed(let steps):
            var walk = Walk(encoder, isKeyed: false)
            for step in steps { try walk.take(step) }
        }
    }
}

extension EncodedValue {
    private enum Container {
        case keyed(KeyedEncodingContainer<Key>)
        case unkeyed(any UnkeyedEncodingContainer)
    }

    private struct Walk {
        /// The containers, each with its encoder if that can return another container.
        var containers: [(container: Container, encoder: (any Encoder)?)]

        init(_ encoder: any Encoder, isKeyed: Bool) {
            let container: Container =
                isKeyed
                ? .keyed(encoder.container(keyedBy: Key.self))
                : .unkeyed(encoder.unkeyedContainer())
            containers = [(container, encoder)]
        }

        mutating func take(_ step: Step) throws {
            let index = step.container % containers.count
            switch containers[index].container {
            case .keyed(var container):
                try take(step, &container, index)
                containers[index].container = .keyed(container)
            case .unkeyed(var container):
                try take(step, &container, index)
                containers[index].container = .unkeyed(container)
            }
        }

        private mutating func take(
            _ step: Step, _ container: inout KeyedEncodingContainer<Key>, _ index: Int
        ) throws {
            switch step.action {
            case .encode(.known(let value)): try container.encode(value, forKey: step.key)
            case .encode(let value): try container.encode(value, forKey: step.key)
            case .tryEncode(let value): try? container.encode(value, forKey: step.key)
            case .trySingle(let value): trySingle(value, index)
            case .encodeNil: try container.encodeNil(forKey: step.key)
            case .encodeIfPresent(let value):
                try container.encodeIfPresent(value, forKey: step.key)
            case .encodeWide(let word):
                try container.encode(UInt128(word) << 40, forKey: step.key)
                try container.encode(
                    Int128(word) << 40, forKey: Key(stringValue: "wide" + step.key.stringValue))
            case .encodePath:
                try container.encode(Self.text(container.codingPath), forKey: step.key)
            case .nestKeyed:
                let key = Key(stringValue: "keyed " + step.key.stringValue)
                open(.keyed(container.nestedContainer(keyedBy: Key.self, forKey: key)))
            case .nestUnkeyed:
                let key = Key(stringValue: "unkeyed " + step.key.stringValue)
                open(.unkeyed(container.nestedUnkeyedContainer(forKey: key)))
            case .inheritForKey:
                let key = Key(stringValue: "inherited " + step.key.stringValue)
                var inherited = container.superEncoder(forKey: key).singleValueContainer()
                try inherited.encode(Self.text(inherited.codingPath))
            case .inherit:
                let encoder = container.superEncoder()
                open(.keyed(encoder.container(keyedBy: Key.self)), encoder)
            case .reopen:
                guard let encoder = containers[index].encoder else { return }
                open(.keyed(encoder.container(keyedBy: Key.self)), encoder)
            }
        }

        private mutating func take(
            _ step: Step, _ container: inout any UnkeyedEncodingContainer, _ index: Int
        ) throws {
            switch step.action {
            case .encode(.known(let value)): try container.encode(value)
            case .encode(let value): try container.encode(value)
            case .tryEncode(let value): try? container.encode(value)
            case .trySingle(let value): trySingle(value, index)
            case .encodeNil: try container.encodeNil()
            case .encodeIfPresent: try container.encode(container.count)
            case .encodeWide(let word):
                try container.encode(UInt128(word) << 40)
                try container.encode(Int128(word) << 40)
            case .encodePath: try container.encode(Self.text(container.codingPath))
            case .inheritForKey: try UInt128.max.encode(to: container.superEncoder())
            case .nestKeyed: open(.keyed(container.nestedContainer(keyedBy: Key.self)))
            case .nestUnkeyed: open(.unkeyed(container.nestedUnkeyedContainer()))
            case .inherit:
                let encoder = container.superEncoder()
                open(.unkeyed(encoder.unkeyedContainer()), encoder)
            case .reopen:
                guard let encoder = containers[index].encoder else { return }
                open(.unkeyed(encoder.unkeyedContainer()), encoder)
            }
        }

        private func trySingle(_ value: EncodedValue, _ index: Int) {
            var container = containers[index].encoder?.singleValueContainer()
            try? container?.encode(value)
        }

        private static func text(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
        }

        private mutating func open(_ container: Container, _ encoder: (any Encoder)? = nil) {
            containers.append((container, encoder))
        }
    }
}

extension EncodedValue {
    /// A source that creates a value from bytes.
    struct Source {
        private var input: FuzzInput
        /// The number of faults in the value, which prevent it from being sent.
        private(set) var faults = 0
        /// Whether the value contains superclass containers or coding paths.
        ///
        /// `JSONEncoder` adds superclass containers at a different time, and its coding paths lack
        /// steps.
        private(set) var isForeignToFoundation = false
        /// Whether the value ignores a failure, for which there is no reference.
        private(set) var swallows = false
        /// Whether the value contains a set or a date that JSON cannot represent.
        private(set) var hasFormatFault = false
        private var count = 0

        init(_ input: FuzzInput) { self.input = input }

        private static let keys = [
            "a", "b", "userName", "user_name", "é", "\"q\\", "", "/", "a\u{1}",
            "longer than sixteen",
            "K", "k", "😀", "b\u{7F}", "a/b",
        ]

        private mutating func key() -> String { input.choice(Self.keys) }

        mutating func value(depth: Int) -> EncodedValue {
            count += 1
            guard count < 200, depth < 12 else { return .known(input.byte()) }
            switch input.byte() % 16 {
            case 0: return .nothing
            case 1: return .single(value(depth: depth + 1))
            case 2: return .optional(input.bool() ? nil : value(depth: depth + 1))
            case 3:
                return .array((0..<input.byte() % 4).map { _ in value(depth: depth + 1) })
            case 4:
                let members = (0..<input.byte() % 4).map { _ in
                    (key(), value(depth: depth + 1))
                }
                return .dictionary(Dictionary(members) { $1 })
            case 5, 6, 7, 8: return .keyed(steps(depth))
            case 9, 10: return .unkeyed(steps(depth))
            default: return .known(known())
            }
        }

        private mutating func steps(_ depth: Int) -> [Step] {
            (0..<input.byte() % 10).map { number in
                var key = key()
                let action: Action =
                    switch input.byte() % 18 {
                    case 0: .encodeNil
                    case 1: .encodeIfPresent(input.bool() ? nil : 7)
                    case 2: .nestKeyed
                    case 3: .nestUnkeyed
                    case 4: .inherit
                    case 5: .reopen
                    case 6, 7: .encode(.known(input.text()))
                    case 9: .encodeWide(input.word())
                    case 10: .encodePath
                    case 11: .inheritForKey
                    case 12: .trySingle(failing(value(depth: depth + 1)))
                    case 8: .tryEncode(failing(value(depth: depth + 1)))
                    default: .encode(value(depth: depth + 1))
                    }
                // A failure must not affect an existing value with the same key.
                if case .tryEncode = action, input.bool() { key = "unkeyed " + key }
                // Keys of values that can have faults are unique, because in parameters a replaced
                // value hides its faults.
                switch action {
                case .inherit, .inheritForKey, .encodePath: isForeignToFoundation = true
                case .tryEncode, .trySingle: swallows = true
                default: break
                }
                if case .encode(let value) = action, !value.isText { key += " \(number)" }
                return Step(
                    container: Int(input.byte()), key: Key(stringValue: key), action: action)
            }
        }

        /// Returns a value with a failure after, between or before valid parts.
        private mutating func failing(_ value: EncodedValue) -> EncodedValue {
            let infinite = EncodedValue.known(Double.infinity)
            let steps = [value, infinite, value].map {
                Step(container: 0, key: Key(stringValue: key()), action: .encode($0))
            }
            return switch input.byte() % 6 {
            case 0: infinite
            case 1: .array([value, infinite])
            case 2: .dictionary(["a": value, "b": infinite])
            case 3: .keyed(steps)
            case 4: .unkeyed(steps)
            default: .single(.optional(.array([.keyed(steps)])))
            }
        }

        private mutating func known() -> any Encodable {
            let word = input.word()
            switch input.byte() % 32 {
            case 0: return word & 1 == 0
            case 1: return Int(bitPattern: UInt(word))
            case 2: return Int8(truncatingIfNeeded: word)
            case 3: return UInt16(truncatingIfNeeded: word)
            case 4: return Int32(truncatingIfNeeded: word)
            case 5: return word
            case 6: return Int128(word) << 60 - Int128(word)
            case 7: return UInt128(word) << 64
            case 8: return double(Double(bitPattern: word))
            case 9: return double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: word))))
            case 10: return Float(Int16(truncatingIfNeeded: word)) / 8
            case 11: return Float16(Int8(truncatingIfNeeded: word)) / 8
            case 12: return date(Double(Int64(bitPattern: word)) / 0x1p25)
            case 13: return Data(input.bytes())
            case 14: return Decimal(Int64(bitPattern: word)) / 1000
            case 15: return URL(fileURLWithPath: "/a b/\(word)")
            case 16: return UUID()
            case 17: return (0..<word % 6).map { $0 &* word }
            case 18: return (0..<word % 6).map { Double($0) / 3 }
            case 19: return (0..<word % 6).map { _ in input.text() }
            case 20: return [key(): Int(word % 100), key() + "2": 1]
            case 21: return [Int?.none, Int(word % 100)]
            case 22:
                faults += 1
                hasFormatFault = true
                return Set([word])
            case 23:
                if word & 1 == 0 { return [Int(word % 100): "integer keys"] }
                faults += 1
                return [Double(word % 100): "floating-point keys"]
            case 27:
                faults += 1
                return Endless()
            case 28: return [Word.second: Int(word % 100), .first: 1]
            case 29:
                faults += 1
                return Refusing()
            case 24: return Parameters([key(): word, "date": Date(timeIntervalSince1970: 1)])
            case 25: return Date(timeIntervalSinceReferenceDate: Double(word % 1000) / 7)
            case 26: return [Date?.none, Date(timeIntervalSince1970: 0.5)]
            default: return input.text()
            }
        }

        private mutating func double(_ number: Double) -> Double {
            if !number.isFinite { faults += 1 }
            return number
        }

        private mutating func date(_ seconds: Double) -> Date {
            if !TimestampText.range.contains(seconds) {
                faults += 1
                hasFormatFault = true
            }
            return Date(timeIntervalSince1970: seconds)
        }
    }
}
