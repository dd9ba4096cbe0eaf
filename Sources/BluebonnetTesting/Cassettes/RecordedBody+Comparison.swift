import Bluebonnet

extension RecordedBody {
    /// Returns the difference from a recorded body, as words that follow "the body"; nil for none.
    func difference(from recorded: Self) -> String? {
        if recorded.isJSON, let wanted = try? CassetteJSONReader.read(recorded.data) {
            guard let value = try? CassetteJSONReader.read(data) else {
                return "is not JSON, but the recorded body is"
            }
            return value.difference(from: wanted, at: "$")
        }
        guard let text = data.plainText, let wanted = recorded.data.plainText else {
            return differenceOfBytes(from: recorded)
        }
        return PlaceholderPattern(wanted).matches(text)
            ? nil : Self.differenceOfLines(of: text, from: wanted)
    }

    private func differenceOfBytes(from recorded: Self) -> String? {
        if data.elementsEqual(recorded.data) { return nil }
        guard data.count == recorded.data.count else {
            return "has \(data.count) bytes, recorded \(recorded.data.count)"
        }
        let place = zip(data, recorded.data).prefix { $0 == $1 }.count
        return "differs at byte \(place + 1) of \(data.count)"
    }

    private static func differenceOfLines(of text: String, from recorded: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let wanted = recorded.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        for (index, (line, wanted)) in zip(lines, wanted).enumerated()
        where !PlaceholderPattern(wanted).matches(line) {
            return "differs in line \(index + 1): \(line.excerpt), recorded \(wanted.excerpt)"
        }
        return "has \(lines.count) lines, recorded \(wanted.count)"
    }
}

extension JSONValue {
    /// Returns the first difference from a recorded value, as words that follow "the body".
    fileprivate func difference(from recorded: Self, at path: String) -> String? {
        switch (content, recorded.content) {
        case (.string(let string), .string(let wanted)):
            if PlaceholderPattern(wanted.text).matches(string.text) { return nil }
        case (.literal(let token), .literal(let wanted)):
            if token == wanted { return nil }
        case (.array(let elements), .array(let wanted)):
            guard elements.count == wanted.count else {
                return "has \(elements.count) elements at \(path), recorded \(wanted.count)"
            }
            return zip(elements, wanted).enumerated().lazy.compactMap { index, pair in
                pair.0.difference(from: pair.1, at: "\(path)[\(index)]")
            }.first
        case (.object(let members), .object(let wanted)):
            return Self.difference(of: members, from: wanted, at: path)
        default: break
        }
        return "has \(compactText.excerpt) at \(path), recorded \(recorded.compactText.excerpt)"
    }

    private static func difference(
        of members: [Member], from recorded: [Member], at path: String
    ) -> String? {
        let values = Dictionary(members.map { ($0.key.text, $0.value) }) { $1 }
        let wanted = Dictionary(recorded.map { ($0.key.text, $0.value) }) { $1 }
        if let member = recorded.first(where: { values[$0.key.text] == nil }) {
            return "has no \(member.key.token) at \(path)"
        }
        if let member = members.first(where: { wanted[$0.key.text] == nil }) {
            return "has \(member.key.token) at \(path), which was not recorded"
        }
        return recorded.lazy.compactMap { member in
            let name = member.key.text
            return values[name]?.difference(from: member.value, at: "\(path).\(name)")
        }.first
    }
}
