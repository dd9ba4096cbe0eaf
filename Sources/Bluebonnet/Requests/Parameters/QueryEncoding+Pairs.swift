import Foundation

extension QueryEncoding {
    /// A name with brackets and its value, both unescaped.
    package typealias Pair = (name: String, value: ParameterValue)

    /// Returns the parameters as pairs, joined by `&`.
    ///
    /// Escapes represent bytes in the string encoding, which must include ASCII.
    func string(
        of parameters: Parameters,
        in stringEncoding: String.Encoding
    ) throws(RequestSerializationError) -> String {
        let pairs = try pairs(of: parameters)
        let escaping = PercentEncoding(
            spaces: spaces, stringEncoding: stringEncoding, unescaped: unescaped)
        var texts: [String] = []
        texts.reserveCapacity(pairs.count)
        for (name, value) in pairs {
            guard let name = escaping.escaped(name), let suffix = suffix(of: value, escaping) else {
                throw RequestSerializationError(
                    keyPath: name,
                    reason: "it has a character that \(stringEncoding) cannot encode; use UTF-8"
                )
            }
            texts.append(name + suffix)
        }
        return texts.joined(separator: "&")
    }

    /// Returns the pairs of the parameters in order.
    package func pairs(of parameters: Parameters) throws(RequestSerializationError) -> [Pair] {
        let root = try ParameterWalk.value(
            of: parameters, for: .query,
            in: ParameterStyle(dates: dates, data: data, sortsKeys: sortsKeys))
        var pairs: [Pair] = []
        add(root, named: nil, to: &pairs)
        return pairs
    }

    /// Adds the pairs of a value; the name is nil for the parameters themselves.
    private func add(_ value: ParameterValue, named name: String?, to pairs: inout [Pair]) {
        switch value {
        case .dictionary(let members):
            let named = spelled(members, below: name)
            guard !sortsTexts else { return add(sorting: named, to: &pairs) }
            for (name, value) in named { add(value, named: name, to: &pairs) }
        case .array(let elements):
            // Elements without pairs have no index, so that the receiver finds no gaps.
            var index = 0
            for element in elements {
                let count = pairs.count
                add(element, named: arrays.name(of: index, in: name ?? ""), to: &pairs)
                if pairs.count > count { index += 1 }
            }
        case .set(let members):
            add(sorting: members.map { (name ?? "", $0) }, to: &pairs)
        case .null where nulls == .omitted:
            break
        case .null, .bool, .integer, .hugeInteger, .floating, .decimal, .string, .date, .data:
            pairs.append((names.spelling(of: name ?? ""), value))
        }
    }

    /// Returns the members of a dictionary under their full names, in the order of spelled keys.
    private func spelled(
        _ members: [(key: String, value: ParameterValue)], below name: String?
    ) -> [Pair] {
        var spelled = members
        if case .unchanged = keys {
        } else {
            spelled = members.map { (keys.spelling(of: $0.key), $0.value) }
            if sortsKeys { spelled.sort { $0.key < $1.key } }
        }
        return spelled.map { key, value in (name.map { $0 + nestedKeys(key) } ?? key, value) }
    }

    /// Adds the pairs of values, sorted by the text of each value.
    private func add(sorting values: [Pair], to pairs: inout [Pair]) {
        let escaping = PercentEncoding(
            spaces: sortsTexts ? spaces : .percent, unescaped: unescaped)
        let groups = values.map { name, value in
            var pairs: [Pair] = []
            add(value, named: name, to: &pairs)
            let texts = pairs.map { name, value in
                (sortsTexts ? escaping.escapedUTF8(name) : name)
                    + (suffix(of: value, escaping) ?? "")
            }
            return (text: texts.joined(separator: "&"), pairs: pairs)
        }
        pairs += groups.sorted { $0.text < $1.text }.flatMap(\.pairs)
    }

    /// Returns the text after the name, or nil if the string encoding cannot encode a character.
    private func suffix(of value: ParameterValue, _ escaping: PercentEncoding) -> String? {
        guard let text = text(of: value) else { return "" }
        return escaping.escaped(text).map { "=" + $0 }
    }

    /// Returns the text of a scalar; nil for a null that is sent as a name only.
    package func text(of value: ParameterValue) -> String? {
        switch value {
        case .null where nulls == .nameOnly: nil
        case .null: nulls == .null ? "null" : ""
        case .bool(let value) where booleans == .literal: value ? "true" : "false"
        default: value.text ?? ""
        }
    }
}
