import Foundation

/// A type that uses its decoder as a program prescribes, and records all results.
///
/// The program is in the decoder's `userInfo`, so the type uses every decoder in the same way.
struct WalkedValue: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        var walk = Walk(program: decoder.userInfo[.program] as? [UInt8] ?? [])
        try walk.walk(decoder, depth: 0)
        text = walk.log.joined(separator: "; ")
    }

    struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

private struct Walk {
    let program: [UInt8]
    var place = 0
    var log: [String] = []
    var steps = 0

    private static let names = [
        "a", "b", "userName", "user_name", "é", "e\u{301}", "K", "\u{212A}", "super", "x", "", "1",
    ]

    init(program: [UInt8]) { self.program = program }

    private mutating func byte() -> Int {
        guard !program.isEmpty else { return 0 }
        defer { place += 1 }
        // Each pass through the program differs from the previous one.
        return Int(
            program[place % program.count] &+ UInt8(truncatingIfNeeded: place / program.count))
    }

    private mutating func name() -> WalkedValue.Key {
        WalkedValue.Key(stringValue: Self.names[byte() % Self.names.count])
    }

    private mutating func note<Value>(_ what: String, _ read: () throws -> Value) {
        do {
            log.append("\(what) \(try read())")
        } catch {
            note(error, what)
        }
    }

    private mutating func note(_ error: any Error, _ what: String) {
        guard let error = error as? DecodingError, error.kind != "dataCorrupted" else {
            // In `JSONDecoder`, a number that does not fit becomes a `DecodingError` at the end.
            log.append("\(what) failed")
            return
        }
        let path = error.context.codingPath.map(\.stringValue).joined(separator: "/")
        log.append("\(what) \(error.kind) at \(path)")
    }

    private func path(_ keys: [any CodingKey]) -> String {
        keys.map(\.stringValue).joined(separator: "/")
    }

    mutating func walk(_ decoder: any Decoder, depth: Int) throws {
        steps += 1
        guard steps < 60, depth < 8 else { return }
        if byte() & 3 == 0 { log.append("at \(path(decoder.codingPath))") }
        switch byte() % 4 {
        case 0:
            let container = try decoder.singleValueContainer()
            if container.decodeNil() { log.append("nil") }
            single(container)
            if byte() & 1 == 0 { single(container) }
        case 1:
            var container = try decoder.unkeyedContainer()
            try walk(&container, depth)
        default:
            let container = try decoder.container(keyedBy: WalkedValue.Key.self)
            try walk(container, depth)
        }
    }

    private mutating func single(_ container: any SingleValueDecodingContainer) {
        switch byte() % 8 {
        case 0: note("bool") { try container.decode(Bool.self) }
        case 1: note("int") { try container.decode(Int.self) }
        case 2: note("int8") { try container.decode(Int8.self) }
        case 3: note("double") { try container.decode(Double.self).bitPattern }
        case 4: note("float") { try container.decode(Float.self).bitPattern }
        case 5: note("date") { try container.decode(Date.self).timeIntervalSince1970.bitPattern }
        case 6: note("ints") { try container.decode([Int?].self) }
        default: note("string") { try container.decode(String.self) }
        }
    }

    private mutating func walk(
        _ container: inout any UnkeyedDecodingContainer, _ depth: Int
    ) throws {
        for _ in 0..<(byte() % 8) {
            log.append(
                "\(container.count ?? -1) \(container.currentIndex) \(container.isAtEnd)")
            switch byte() % 13 {
            case 0: note("nil") { try container.decodeNil() }
            case 1: note("int") { try container.decode(Int.self) }
            case 2: note("string") { try container.decode(String.self) }
            case 3: note("int?") { try container.decodeIfPresent(Int.self) }
            case 4: note("string?") { try container.decodeIfPresent(String.self) }
            case 5: note("double?") { try container.decodeIfPresent(Double.self) }
            case 6:
                note("date") {
                    try container.decode(Date.self).timeIntervalSince1970.bitPattern
                }
            case 7: try walk(container.superDecoder(), depth: depth + 1)
            case 8:
                var inner = try container.nestedUnkeyedContainer()
                log.append("at \(path(inner.codingPath))")
                try walk(&inner, depth + 1)
            case 9:
                let inner = try container.nestedContainer(keyedBy: WalkedValue.Key.self)
                try walk(inner, depth + 1)
            case 11: noteOptional(in: &container)
            case 10: note("walked?") { try container.decodeIfPresent(WalkedValue.self)?.text }
            default:
                let members = try? container.decode([String: Int].self)
                log.append("members \(members?.count ?? -1)")
            }
        }
    }

    /// Reads one of the scalars for which each container has a separate function.
    private mutating func noteOptional(in container: inout any UnkeyedDecodingContainer) {
        let what = "scalar?"
        switch byte() % 14 {
        case 0: note(what) { try container.decodeIfPresent(Bool.self) }
        case 1: note(what) { try container.decodeIfPresent(Int8.self) }
        case 2: note(what) { try container.decodeIfPresent(Int16.self) }
        case 3: note(what) { try container.decodeIfPresent(Int32.self) }
        case 4: note(what) { try container.decodeIfPresent(Int64.self) }
        case 5: note(what) { try container.decodeIfPresent(Int128.self) }
        case 6: note(what) { try container.decodeIfPresent(UInt.self) }
        case 7: note(what) { try container.decodeIfPresent(UInt8.self) }
        case 8: note(what) { try container.decodeIfPresent(UInt16.self) }
        case 9: note(what) { try container.decodeIfPresent(UInt32.self) }
        case 10: note(what) { try container.decodeIfPresent(UInt64.self) }
        case 11: note(what) { try container.decodeIfPresent(UInt128.self) }
        case 12: note(what) { try container.decode(Int128.self) }
        default: note(what) { try container.decodeIfPresent(Float.self)?.bitPattern }
        }
    }

    private mutating func noteOptional(
        _ name: WalkedValue.Key, in container: KeyedDecodingContainer<WalkedValue.Key>
    ) {
        let what = "scalar? \(name.stringValue)"
        switch byte() % 14 {
        case 0: note(what) { try container.decodeIfPresent(Bool.self, forKey: name) }
        case 1: note(what) { try container.decodeIfPresent(Int8.self, forKey: name) }
        case 2: note(what) { try container.decodeIfPresent(Int16.self, forKey: name) }
        case 3: note(what) { try container.decodeIfPresent(Int32.self, forKey: name) }
        case 4: note(what) { try container.decodeIfPresent(Int64.self, forKey: name) }
        case 5: note(what) { try container.decodeIfPresent(Int128.self, forKey: name) }
        case 6: note(what) { try container.decodeIfPresent(UInt.self, forKey: name) }
        case 7: note(what) { try container.decodeIfPresent(UInt8.self, forKey: name) }
        case 8: note(what) { try container.decodeIfPresent(UInt16.self, forKey: name) }
        case 9: note(what) { try container.decodeIfPresent(UInt32.self, forKey: name) }
        case 10: note(what) { try container.decodeIfPresent(UInt64.self, forKey: name) }
        case 11: note(what) { try container.decodeIfPresent(UInt128.self, forKey: name) }
        case 12: note(what) { try container.decode(UInt128.self, forKey: name) }
        default: note(what) { try container.decodeIfPresent(Float.self, forKey: name)?.bitPattern }
        }
    }

    private mutating func walk(
        _ container: KeyedDecodingContainer<WalkedValue.Key>, _ depth: Int
    ) throws {
        if byte() & 7 == 0 { log.append("\(container.allKeys.map(\.stringValue).sorted())") }
        for _ in 0..<(byte() % 8) {
            let name = name()
            let what = name.stringValue
            switch byte() % 17 {
            case 0: note("nil \(what)") { try container.decodeNil(forKey: name) }
            case 1: note("has \(what)") { container.contains(name) }
            case 2: note("int \(what)") { try container.decode(Int.self, forKey: name) }
            case 3: note("string \(what)") { try container.decode(String.self, forKey: name) }
            case 4: note("bool \(what)") { try container.decode(Bool.self, forKey: name) }
            case 5: note("int? \(what)") { try container.decodeIfPresent(Int.self, forKey: name) }
            case 6:
                note("string? \(what)") {
                    try container.decodeIfPresent(String.self, forKey: name)
                }
            case 7:
                note("double? \(what)") {
                    try container.decodeIfPresent(Double.self, forKey: name)?.bitPattern
                }
            case 8:
                note("float \(what)") {
                    try container.decode(Float.self, forKey: name).bitPattern
                }
            case 9: note("ints \(what)") { try container.decode([Int].self, forKey: name) }
            case 10:
                // The first of its faults depends on the order in which a dictionary is read.
                let members = try? container.decodeIfPresent([String: Int].self, forKey: name)
                log.append("members \(what) \(members?.count ?? -1)")
            case 11: try walk(container.superDecoder(), depth: depth + 1)
            case 12: try walk(container.superDecoder(forKey: name), depth: depth + 1)
            case 13:
                var inner = try container.nestedUnkeyedContainer(forKey: name)
                try walk(&inner, depth + 1)
            case 14:
                let inner = try container.nestedContainer(
                    keyedBy: WalkedValue.Key.self, forKey: name)
                log.append("at \(path(inner.codingPath))")
                try walk(inner, depth + 1)
            case 15: noteOptional(name, in: container)
            default:
                note("walked \(what)") { try container.decode(WalkedValue.self, forKey: name).text }
            }
        }
    }
}
