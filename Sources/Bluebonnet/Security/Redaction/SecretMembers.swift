import BluebonnetTransport
import Foundation

extension String {
    /// Returns a JSON text with `"<redacted>"` in place of values whose names are secret.
    ///
    /// The rest is unchanged. Text that is not JSON is parsed as far as its quotes and brackets
    /// allow.
    func redactingMembers() -> String {
        var members = SecretMembers(text: Array(utf8))
        return String(decoding: members.redacted(), as: UTF8.self)
    }

    /// Returns the strings and numbers of a JSON text whose names are secret, as written.
    func secretMembers() -> [Secret] {
        var members = SecretMembers(text: Array(utf8))
        _ = members.redacted()
        return members.secrets
    }
}

/// Scans a JSON text once, string by string.
private struct SecretMembers {
    let text: [UInt8]
    private var place = 0
    private var shown: [UInt8] = []
    private(set) var secrets: [Secret] = []

    init(text: [UInt8]) {
        self.text = text
        shown.reserveCapacity(text.count)
    }

    mutating func redacted() -> [UInt8] {
        while place < text.count {
            let start = place
            place = text[place] == UInt8(ascii: "\"") ? endOfString(at: place) : place + 1
            shown += text[start..<place]
            guard text[start] == UInt8(ascii: "\""), let value = valueOfMember(at: place),
                isSecret(text[start..<place])
            else { continue }
            shown += text[place..<value]
            shown += "\"\(SecretSearch.mark)\"".utf8
            place = endOfValue(at: value)
            note(text[value..<place], of: text[start..<value])
        }
        return shown
    }

    /// Notes a string or a number; an object or array can contain other values too.
    private mutating func note(_ value: ArraySlice<UInt8>, of name: ArraySlice<UInt8>) {
        let quote = UInt8(ascii: "\"")
        let name = String(decoding: name.dropFirst().prefix { $0 != quote }, as: UTF8.self)
        switch value.first {
        case quote?:
            let end = value.count > 1 && value.last == quote ? 1 : 0
            let text = String(decoding: value.dropFirst().dropLast(end), as: UTF8.self)
            secrets.append(Secret(text, name: name))
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            let digits = value.prefix { !" \t\r\n".utf8.contains($0) }
            secrets.append(Secret(String(decoding: digits, as: UTF8.self), name: name))
        default: break
        }
    }

    /// Returns the start of the value after a name, or nil if no colon follows the name.
    private func valueOfMember(at end: Int) -> Int? {
        let colon = endOfSpace(at: end)
        guard colon < text.count, text[colon] == UInt8(ascii: ":") else { return nil }
        return endOfSpace(at: colon + 1)
    }

    private func isSecret(_ quoted: ArraySlice<UInt8>) -> Bool {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return SecretFieldNames.contains(
                String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self))
        }
        let name = try? JSONDecoder().decode(String.self, from: Data(quoted))
        return name.map(SecretFieldNames.contains) ?? true
    }

    private func endOfSpace(at start: Int) -> Int {
        text[start...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? text.count
    }

    private func endOfString(at start: Int) -> Int {
        var place = start + 1
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "\""): return place + 1
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        return text.count
    }

    private func endOfValue(at start: Int) -> Int {
        var (place, depth) = (start, 0)
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "\""):
                place = endOfString(at: place)
                if depth == 0 { return place }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: ",") where depth == 0: return place
            default: break
            }
            place += 1
        }
        return text.count
    }
}
